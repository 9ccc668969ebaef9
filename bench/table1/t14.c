/* A loop, diamonds, and an error behind them. A drift that the check does not care for has no finite quotient.
 * expect: bug */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int i = 0, a = 0, drift = 0;
    while (nondet() > 0) drift = drift - 1;
    while (drift == 7) drift = 0;
    while (i < 10) { i = i + 1; }
    if (nondet()) a = a + 1; else a = a - 1;
    if (nondet()) a = a + 1; else a = a - 1;
    if (i == 10) error();
}
