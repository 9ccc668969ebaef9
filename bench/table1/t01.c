/* Lock and a counter that says whether another round follows (figure 3). What follows the check has no finite quotient.
 * expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int y) {
    int lock = 0, x, drift = 0;
    do { lock = 1; x = y; if (nondet()) { lock = 0; y = y + 1; } } while (x != y);
    if (lock != 1) error();
    while (nondet() > 0) drift = drift - 1;
    while (drift == 7) drift = 0;
}
