/* A check inside the loop, and finitely many behaviours. expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int turn = 0, i = 0;
    while (i < 4) { if (turn > 1) error(); turn = 1 - turn; i = i + 1; }
}
