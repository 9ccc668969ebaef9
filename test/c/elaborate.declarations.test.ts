import { readCText } from '../../src/c/read';
import { printType } from '../../src/c/printType';
import { unitText } from './treeText';

function check(text: string, expected: string): void {
  const { units, warnings } = readCText(text);
  expect(warnings).toEqual([]);
  expect(unitText(units[0]!)).toBe(expected);
}

const body = (text: string, expected: string, before = ''): void =>
  check(`${before}void f(int x, char c) { ${text} }`, `void f(int, char) {${expected}}`);

test('declarators of every shape', () => {
  const types = (text: string): string[] => readCText(text).units[0]!.variables.map((v) => printType(v.type, v.name));
  expect(
    types(
      'int (*(*x)(char *, int (*)(void)))[3]; char *(*y[2])(void); int *const *z; const volatile char *w; ' +
        'int (*s)(double, ...); struct t *v; unsigned long long const u; int (((p)));',
    ),
  ).toEqual([
    'int (*(*x)(char *, int (*)(void)))[3]',
    'char *(*y[2])(void)',
    'int *const *z',
    'const volatile char *w',
    'int (*s)(double, ...)',
    'struct t *v',
    'const unsigned long long u',
    'int p',
  ]);
  expect(
    types(
      'typedef int A[3]; typedef A *PA; PA x; const A y = {0}; typedef void F(int); F *g; A z[2]; int long unsigned q;',
    ),
  ).toEqual(['int (*x)[3]', 'const int y[3]', 'void (*g)(int)', 'int z[2][3]', 'unsigned long q']);
  check(
    'int f(int a[], int b[3][4], int g(char), const char *restrict s, int n, int v[n][2], int q[static const 5]);',
    'int f(int *, int (*)[4], int (*)(char), const char *, int, int (*)[2], int *const)',
  );
  check('void (*signal(int number, void (*handler)(int)))(int);', 'void (*signal(int, void (*)(int)))(int)');
});

test('a name is a type or not by its scope', () => {
  const before = 'typedef int T; ';
  body('(T)-x; (T)*&x; T(z); z = x;', '(int)(- [x]):int; (int)[x]; int z; (= z [x]):int;', before);
  body('int T = 2; (T)-x; T * x;', 'int T = 2:int; (- [T] [x]):int; (* [T] [x]):int;', before);
  body('T *y = &x; { T T = 3; T + 1; } T w;', 'int *y = &x; {int T = 3:int; (+ [T] 1:int):int;} int w;', before);
  body(
    'sizeof(T); sizeof(T) + 1; enum { T = 5 }; sizeof(T); T - 1;',
    '4:unsigned long; (+ 4:unsigned long <unsigned long>1:int):unsigned long; 4:unsigned long; (- 5:int 1:int):int;',
    before,
  );
  check(
    'typedef int T; int g(int T) { return T * 2; } T h(T) ; struct s { T T; };',
    'int g(int) {return (* [T] 2:int):int;}\nint h(int)',
  );
  check(
    'typedef int T; void g(void) { for (int T = 0; T < 3; T++) ; T y; }',
    'void g(void) {for (int T = 0:int;|(< [T] 3:int)|(++ old T in int):int) ; int y;}',
  );
});

test('statements', () => {
  body(
    'if (x) x = 1; else if (c) x = 2; else { x = 3; }',
    'if [x] (= x 1:int):int; else if [c] (= x 2:int):int; else {(= x 3:int):int;}',
  );
  body(
    'while (x) do x--; while (c); for (;;) break;',
    'while [x] do (-- old x in int):int; while [c]; for (||) break;',
  );
  body(
    "switch (c) { int y; case 1: case 'a' ... 'c': y = 1; if (y) default: x = 2; break; }",
    'switch <int>[c] {int y; case 1: case 97...99: (= y 1:int):int; if [y] default: (= x 2:int):int; break;}',
  );
  body('switch ((unsigned char)x) case 300: ;', 'switch <int>(unsigned char)[x] case 300: ;');
  body('switch (0u) case -1: ;', 'switch 0:unsigned int case 4294967295: ;');
  body('goto out; again: x++; goto again; out: ;', 'goto out; again: (++ old x in int):int; goto again; out: ;');
  body(
    'for (int i = 0, *p = &x; i < 3; i++) { continue; }',
    'for (int i = 0:int; int *p = &x;|(< [i] 3:int)|(++ old i in int):int) {continue;}',
  );
  body('{ int x = 2; { x; } } l: int z; end:', '{int x = 2:int; {[x];}} l: ; int z; end: ;');
});

test('main returns 0 at its end', () => check('int main(void) { ; }', 'int main(void) {; return 0:int;}'));

test('linkage, tentative definitions, static locals', () => {
  check(
    'int a; extern int a; int a = 3; static int s; static int s = 1; extern int e; int v[]; int v[4]; ' +
      'int h(void) { static int s = 2; extern int e; return s + e; }',
    [
      'global int a = {0:3:int}/4',
      'static int s = {0:1:int}/4',
      'extern int e',
      'global int v[4] &',
      'static(h) int s = {0:2:int}/4',
      'int h(void) {return (+ [s] [e]):int;}',
    ].join('\n'),
  );
  check('static int f(int); int f(int x) { return x; } extern int f(int);', 'static int f(int) {return [x];}');
  check('int f(); int f(int a) { return a; }', 'int f(int) {return [a];}');
});

test('which variables have their address taken', () => {
  check(
    'int a, b, c; void f(int p, int q) { int x, y; int z[2]; struct { int m; } w; int *r = &x; &a; sizeof(&b); ' +
      '&*(&p); (&c)[0]; w.m = y; }',
    [
      'global int a &',
      'global int b',
      'global int c &',
      'void f(int, int) {int x; int y; int z[2]; struct <unnamed> w; int *r = &x; &a; 8:unsigned long; &p; ' +
        '[*(ptr+[] &c 0:int):int *]; (= w.m@0 [y]):int;}',
    ].join('\n'),
  );
  const [f] = readCText('void f(int p, int q) { int x, y, z[2]; &x; &p; for (int k = 0; ; ) &k; }').units[0]!.functions;
  expect(f!.parameters.map((s) => `${s.name} ${s.addressTaken}`)).toEqual(['p true', 'q false']);
  expect(
    f!.body!.items.flatMap((s) =>
      s.kind === 'declare'
        ? [`${s.symbol.name} ${s.symbol.addressTaken}`]
        : s.kind === 'for'
          ? s.init.map((t) => (t.kind === 'declare' ? `${t.symbol.name} ${t.symbol.addressTaken}` : ''))
          : [],
    ),
  ).toEqual(['x true', 'y false', 'z true', 'k true']);
});

test('enumerations', () => {
  const { units } = readCText(
    'enum e { A, B = 5, C, D = -1 }; enum { BIG = 0x80000000, E = sizeof(int) }; enum w { W = 1ull << 40 }; ' +
      'enum e x = C; long y = W; enum later; enum later *p; enum later { L = -1 }; enum later q = L;',
  );
  expect([...units[0]!.enumConstants]).toEqual([
    ['A', 0n],
    ['B', 5n],
    ['C', 6n],
    ['D', -1n],
    ['BIG', 2147483648n],
    ['E', 4n],
    ['W', 1099511627776n],
    ['L', -1n],
  ]);
  expect(unitText(units[0]!)).toBe(
    'global enum e x = {0:<enum e>6:int}/4\nglobal long y = {0:1099511627776:long}/8\nglobal enum later *p\n' +
      'global enum later q = {0:<enum later>-1:int}/4',
  );
});

test('constants of static objects are computed, addresses stay expressions', () => {
  check(
    'int a = 2 * 3 + (7 >> 1); char b = 300; double c = 1 / 2 + 0.5f; float d = 1e-3; unsigned e = -1; ' +
      '_Bool g = 0.1; long h = (char)200 + sizeof(int);',
    [
      'global int a = {0:9:int}/4',
      'global char b = {0:44:char}/1',
      'global double c = {0:0.5:double}/8',
      `global float d = {0:${Math.fround(1e-3)}:float}/4`,
      'global unsigned int e = {0:4294967295:unsigned int}/4',
      'global _Bool g = {0:1:_Bool}/1',
      'global long h = {0:-52:long}/8',
    ].join('\n'),
  );
  check(
    'int a[3]; struct s { int x, y; } s; int *p = a + 1; int *q = &s.y; char *r = (char *)&a[2] + 1; ' +
      'void (*f)(void); unsigned long n = (unsigned long)&a; int k(void); int (*g)(void) = k; ' +
      'const char *t = "x" + 1; int *z = 0;',
    [
      'global int a[3] &',
      'global struct s s &',
      'global int *p = {0:(ptr+ decay(a) 1:int):int *}/8',
      'global int *q = {0:&s.y@4}/8',
      'global char *r = {0:(ptr+ (char *)(ptr+ decay(a) 2:int):int * 1:int):char *}/8',
      'global void (*f)(void)',
      'global unsigned long n = {0:(unsigned long)&a}/8',
      'global int (*g)(void) = {0:&k}/8',
      'global const char *t = {0:<const char *>(ptr+ decay("x\\u0000":char [2]) 1:int):char *}/8',
      'global int *z = {0:<int *>0:int}/8',
      'int k(void)',
    ].join('\n'),
  );
  check(
    'const int n = 4; int a[n]; int m = n + 1; void f(void) { const int k = 2; int b[k * n]; }',
    'global const int n = {0:4:int}/4\nglobal int a[4] &\nglobal int m = {0:5:int}/4\n' +
      'void f(void) {const int k = 2:int; int b[8];}',
  );
});

test('a compound literal at file scope is a static object', () => {
  check(
    'int *p = (int[]){1, 2}; struct s { int x; } s = (struct s){3};',
    'global int *p = {0:decay(<compound literal>)}/8\n' +
      'static int <compound literal>[2] & = {0:1:int, 4:2:int}/8\nglobal struct s s & = {0:3:int}/4',
  );
  check(
    'struct a { int x; }; struct b { struct a *p, *q; } b = {&(struct a){1}, &(struct a){2}};',
    [
      'global struct b b & = {0:&<compound literal>, 8:&<compound literal 2>}/16',
      'static struct a <compound literal> & = {0:1:int}/4',
      'static struct a <compound literal 2> & = {0:2:int}/4',
    ].join('\n'),
  );
});

test('attributes, and other things that change nothing', () => {
  check(
    '__extension__ typedef unsigned char __attribute__((aligned(1))) byte; ' +
      'static __inline__ byte f(register int a, byte *__restrict b) ' +
      '__attribute__((__nothrow__, __pure__, format(printf, 1, 2))); extern int g(void) __asm__("h"); ' +
      '_Noreturn void stop(void); ;',
    'static unsigned char f(int, unsigned char *)\nint g(void)\nvoid stop(void)',
  );
  const { functions } = readCText(
    '_Noreturn void a(void); void b(void) __attribute__((noreturn)); ' +
      '__attribute__((__noreturn__)) void c(void); void d(void);',
  ).units[0]!;
  expect(functions.map((f) => f.noreturn)).toEqual([true, true, true, false]);
});

test('modes', () => {
  check(
    'typedef int r __attribute__((__mode__(__word__))); typedef unsigned h __attribute__((mode(HI))); r a; h b; ' +
      'unsigned c __attribute__((mode(QI))); struct { int d __attribute__((mode(DI))); } e; ' +
      'float f __attribute__((mode(DF)));',
    'global long a\nglobal unsigned short b\nglobal unsigned char c\nglobal struct <unnamed> e &\nglobal double f',
  );
  expect(() => readCText('int x __attribute__((mode(XI)));')).toThrow("the mode 'XI' is not supported");
  expect(() => readCText('int x __attribute__((mode(TI)));', 'x.c', { dataModel: 'ilp32' })).toThrow(
    "the mode 'TI' is not supported",
  );
});

test('variable arguments', () => {
  check(
    'typedef __builtin_va_list va_list; int v(va_list q) { return __builtin_va_arg(q, int); } ' +
      'int f(int n, ...) { va_list a, b; __builtin_va_start(a, n); __builtin_va_copy(b, a); v(a); ' +
      '__builtin_va_end(a); return __builtin_va_arg(b, int); }',
    [
      'int v(struct __va_list_tag *) {return (va-arg [q]):int;}',
      'int f(int, ...) {struct __va_list_tag a[1]; struct __va_list_tag b[1]; (va-start decay(a)); ' +
        '(va-copy decay(b) decay(a)); (call &v decay(a)):int; (va-end decay(a)); return (va-arg decay(b)):int;}',
    ].join('\n'),
  );
});

test('what is merely unsupported may be declared as long as it is not used', () => {
  check(
    'extern _Decimal64 wide(_Float128 x); typedef _Complex double z; typedef __float128 q; int f(void) { return 1; }',
    'int f(void) {return 1:int;}',
  );
  expect(() => readCText('extern _Decimal64 wide(void); int f(void) { return (int)wide(); }')).toThrow(
    'decimal floating-point numbers are not supported',
  );
});

test('checked arithmetic is written out in C, and its names hide none', () => {
  const { units } = readCText('_Bool f(int a, int b, int *r) { return __builtin_add_overflow(b, a, r); }');
  expect(unitText(units[0]!)).toContain('int __provest_a = [b]; int __provest_b = [a]; int *__provest_r = [r];');
});
