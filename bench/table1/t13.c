/* Diamonds before one check (figure 8). expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int lock = 1, a = 0, b = 0, c = 0;
    if (nondet()) a = a + 1; else a = a - 1;
    if (nondet()) b = b + 1; else b = b - 1;
    if (nondet()) c = c + 1; else c = c - 1;
    if (lock != 1) error();
}
