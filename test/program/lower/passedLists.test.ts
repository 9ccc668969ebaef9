/** Lists of variable arguments that are passed on (C11 7.16p3): what the caller may still do with them. */
import { resultOf } from '../programOf';

const functions = `
#include <stdarg.h>
#include <stdio.h>
static int take(va_list list) { return va_arg(list, int); }
static int look(va_list list) { va_list own; va_copy(own, list); int x = va_arg(own, int); va_end(own); return x; }
static int share(va_list *list) { return va_arg(*list, int); }
static int leave(va_list list, int taken) { return taken ? va_arg(list, int) : 0; }
static int hand(va_list list) { return take(list) + va_arg(list, int); }
static int (*const pointer)(va_list) = take;`;

/** The statements in the middle of a function with three arguments in its list. */
function check(name: string, expected: string, statements: string): void {
  test(name, () =>
    expect(
      resultOf(`${functions}
        static int g(int n, ...) { va_list list; int x = 0; va_start(list, n); ${statements} va_end(list); return x; }
        int f(void) { return g(3, 10, 20, 30); }
        int used(va_list l) { return take(l) + look(l) + share(&l) + leave(l, 1) + hand(l) + pointer(l); }`),
    ).toBe(expected),
  );
}

const fails = 'variable-argument: va_arg(list, int)';
check('a list may be passed as the last use', '10', 'x = take(list);');
check(
  'a list must not be used after a function took an argument',
  fails,
  'x = take(list) + 0; x += va_arg(list, int);',
);
check('nor by another call', fails, 'x = take(list); x += take(list);');
check('nor after a call through a pointer', fails, 'x = pointer(list); x += va_arg(list, int);');
check('nor in the function in between', fails, 'x = hand(list);');
check(
  'nor by a copy that is made afterwards',
  'variable-argument: va_arg(again, int)',
  'x = take(list); va_list again; va_copy(again, list); x += va_arg(again, int); va_end(again);',
);
check('a list that a function only copies goes on', '20', 'x = look(list); x += va_arg(list, int);');
check('so does one of which nothing was taken', '10', 'x = leave(list, 0); x += va_arg(list, int);');
check('not one of which something was', fails, 'x = leave(list, 1); x += va_arg(list, int);');
check('a pointer shares the list', '30', 'x = share(&list); x += va_arg(list, int);');
check('a list may be started again', '20', 'x = take(list); va_end(list); va_start(list, n); x += va_arg(list, int);');
check('a list that vprintf has used is not used again', fails, 'vprintf("%d", list); x = va_arg(list, int);');
check('even if nothing was printed of it', fails, 'vprintf("none", list); x = va_arg(list, int);');
