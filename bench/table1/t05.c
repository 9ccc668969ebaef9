/* A thousand rounds, then an error for half of the inputs, which the loop spreads out. expect: bug */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int a) {
    int i = 0, c = a;
    while (i < 1000) { c = c ^ (a + i); i = i + 1; }
    assume(a <= 0);
    error();
}
