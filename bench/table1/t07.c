/* Three rounds, then a check of what was set before them. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int a) {
    int i = 0, b;
    if (a > 0) b = 1; else b = 2;
    while (i < 3) { i = i + 1; }
    if (b == 3) error();
}
