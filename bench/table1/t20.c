/* What one variable gains the other loses. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int up = 0, down = 100;
    while (down > 0 && nondet()) { up = up + 1; down = down - 1; }
    if (up + down != 100) error();
}
