/* Ten rounds over constants only, so that there are finitely many behaviours. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int i = 0, c = 0;
    while (i < 10) { c = c + i; i = i + 1; }
    if (i != 10) error();
}
