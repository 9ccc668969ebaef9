/* The same, with the counter going down and the lock kept in the other branch.
 * What follows the check has no finite quotient.
 * expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int y) {
    int lock = 0, x, drift = 0;
    do { lock = 1; x = y; if (nondet()) { y = y - 1; lock = 0; } else { x = y; } } while (x != y);
    if (lock == 0) error();
    while (nondet() > 0) drift = drift - 1;
    while (drift == 7) drift = 0;
}
