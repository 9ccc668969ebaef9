/* Nothing passes the assumption after a loop over an input (figure 6). expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int y) {
    while (y > 0) { y = y - 1; }
    assume(y > 0);
    error();
}
