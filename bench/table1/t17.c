/* Splits march on over a sum unless they are generalised (figure 9). expect: proved */
extern int nondet(void);
extern void assume(int condition);
extern void error(void);

void entry(void) {
    int x = 0, y = 0;
    while (y >= 0) { y = y + x; }
    error();
}
