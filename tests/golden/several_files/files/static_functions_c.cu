static float factor(float r) { return 1 / (1 + r); }
float check(float r) { return factor(r); }
