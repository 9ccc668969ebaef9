/* The same, with the counter going down and the lock kept in the other branch. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int y) {
    int lock = 0, x;
    do { lock = 1; x = y; if (nondet()) { y = y - 1; lock = 0; } else { x = y; } } while (x != y);
    if (lock == 0) error();
}
