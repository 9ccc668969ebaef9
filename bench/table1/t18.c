/* Two counters in step; that they are is no preimage. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(int n) {
    int a = 0, b = 0;
    while (a < n) { a = a + 1; b = b + 1; }
    if (a != b) error();
}
