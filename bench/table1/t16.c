/* A loop that only the environment ends, and a check after it. What follows the check has no finite quotient.
 * expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int ready = 1, count = 0, drift = 0;
    while (nondet()) { count = count + 1; if (count > 5) ready = 1; }
    if (ready != 1) error();
    while (nondet() > 0) drift = drift - 1;
    while (drift == 7) drift = 0;
}
