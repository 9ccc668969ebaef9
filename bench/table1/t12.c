/* Ten rounds with a branch, and two variables that keep a relation. What follows the check has no finite quotient.
 * expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int i = 0, j = 0, c = 0, drift = 0;
    while (i < 10) { if (nondet()) c = c + 1; i = i + 1; j = j + 1; }
    if (i != j) error();
    while (nondet() > 0) drift = drift - 1;
    while (drift == 7) drift = 0;
}
