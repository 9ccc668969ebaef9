/* A counter that moves by twos never meets an odd number. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int n) {
    int i = 0;
    while (i < n && i < 1000000) { i = i + 2; }
    if (i == 7) error();
}
