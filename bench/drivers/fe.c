#include <stdio.h>
#include "fe.h"
static const char *program =
  "(= fib (fn (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))"
  "(print (fib 13)) (= l (list 1 2 3 (quote a) \"text\")) (print l)"
  "(= i 0) (while (< i 5) (print i (* i i) (/ 1 (+ i 1))) (= i (+ i 1)))"
  "(= inc (mac (sym) (list (quote =) sym (list (quote +) sym 1)))) (inc i) (print i) (print (cons 1 2) (not nil) "
  "(is 1 1))";
static char next(fe_Context *ctx, void *udata) { const char **at = udata; (void)ctx; return **at ? *(*at)++ : '\0'; }
static char memory[200000];
int main(void) {
  fe_Context *ctx = fe_open(memory, sizeof memory); const char *at = program; int gc = fe_savegc(ctx); fe_Object *o;
  while ((o = fe_read(ctx, next, &at))) { char text[64]; fe_tostring(ctx, fe_eval(ctx, o), text, sizeof text);
    printf("-> %s\n", text); fe_restoregc(ctx, gc); }
  fe_close(ctx);
  return 0;
}
