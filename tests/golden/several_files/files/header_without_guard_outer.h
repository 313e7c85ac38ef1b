void fill(row *d, int n);
