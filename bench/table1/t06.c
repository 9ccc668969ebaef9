/* Ten rounds, then an error whatever the input. expect: bug */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int a) {
    int i = 0;
    while (i < 10) { i = i + 1; }
    if (a == a) error();
}
