/* A loop that only the environment ends, and a check after it. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int ready = 1, count = 0;
    while (nondet()) { count = count + 1; if (count > 5) ready = 1; }
    if (ready != 1) error();
}
