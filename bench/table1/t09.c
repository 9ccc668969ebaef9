/* Two branches to be solved (figure 7). expect: bug */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int x, int y) {
    if (x != y)
        if (2 * x == x + 10) error();
}
