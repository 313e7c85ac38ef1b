int steps() { return 2; }
