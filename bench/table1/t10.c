/* Two other branches to be solved. expect: bug */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int x, int y) {
    if (x > y)
        if (x == 3 * y + 8) error();
}
