/* Ten rounds that no input changes, then a check of a variable the loop sets (figure 1).
 * What follows the check has no finite quotient.
 * expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int a) {
    int i = 0, c = a, drift = 0;
    while (i < 10) { c = c ^ i; i = i + 1; }
    if (i != 10) error();
    while (nondet() > 0) drift = drift - 1;
    while (drift == 7) drift = 0;
}
