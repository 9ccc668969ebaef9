import { readCText } from '../../src/c/read';
import type { DataModel } from '../../src/c/types';
import { exprText } from './treeText';

const declarations = `
typedef struct node { int v; struct node *next; unsigned b : 3; int c : 5; struct { char k; short m; }; } node;
enum color { RED, GREEN = 7 }; enum level { LOW = -1, HIGH };
_Bool t; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;
float f; double d; long double ld; enum color color; enum level level;
int *p; const int *cp; char *q; void *v; int a[4]; int m[2][3]; node n; node *np; int (*fp)(int); int *(*fpp(void))[3]; volatile int vi;
int g(int x); void nothing(void); node make(void); int any(); int printf(const char *format, ...); double half(float);
struct big { long long wide : 40; unsigned long exact : 32; _Bool flag : 1; } bf;`;

/** The tree of one expression, used as the operand of a comma so that nothing more is done to it than reading it. */
function check(text: string, expected: string, dataModel: DataModel = 'lp64'): void {
  const { units } = readCText(`${declarations}\nvoid f0(void) { ${text}; }`, 'input.c', { dataModel });
  const body = units[0]!.functions.find((x) => x.name === 'f0')!.body!;
  const [statement] = body.items;
  expect(statement?.kind === 'expression' ? exprText(statement.expression) : statement?.kind).toBe(expected);
}

test.each([
  // literals
  ['1', '1:int'], ['2147483648', '2147483648:long'], ['0x80000000', '2147483648:unsigned int'], ['0xffffffffffffffff', '18446744073709551615:unsigned long'],
  ['1u', '1:unsigned int'], ['4294967296u', '4294967296:unsigned long'], ['1LL', '1:long long'], ['017', '15:int'], ['0b101', '5:int'], ['1ull', '1:unsigned long long'],
  ['\'a\'', '97:int'], ["'\\xff'", '-1:int'], ["'\\377'", '-1:int'], ["'\\0'", '0:int'], ["'ab'", '24930:int'], ["L'x'", '120:int'], ["U'\\u00e9'", '233:unsigned int'],
  ['1.5', '1.5:double'], ['.5f', '0.5:float'], ['1e3L', '1000:long double'], ['0x1.8p1', '3:double'], ['1.f', '1:float'], ['GREEN', '7:int'],
  // integer promotions and the usual arithmetic conversions
  ['c + c', '(+ <int>[c] <int>[c]):int'], ['uc * us', '(* <int>[uc] <int>[us]):int'], ['t + 1', '(+ <int>[t] 1:int):int'],
  ['i + u', '(+ <unsigned int>[i] [u]):unsigned int'], ['u + l', '(+ <long>[u] [l]):long'], ['l + ul', '(+ <unsigned long>[l] [ul]):unsigned long'],
  ['ll + ul', '(+ <unsigned long long>[ll] <unsigned long long>[ul]):unsigned long long'], ['l + ll', '(+ <long long>[l] [ll]):long long'],
  ['i + f', '(+ <float>[i] [f]):float'], ['f * d', '(* <double>[f] [d]):double'], ['ld / i', '(/ [ld] <long double>[i]):long double'],
  ['color + 1', '(+ <unsigned int>[color] <unsigned int>1:int):unsigned int'], ['level < 0', '(< <int>[level] 0:int)'],
  ['c << ull', '(<< <int>[c] [ull]):int'], ['l >> c', '(>> [l] <int>[c]):long'], ['-uc', '(- <int>[uc]):int'], ['+c', '<int>[c]'], ['~us', '(~ <int>[us]):int'], ['!d', '(! [d])'],
  ['c == d', '(== <double>[c] [d])'], ['i < u', '(< <unsigned int>[i] [u])'],
  // the sizes of objects that have a name
  ['__builtin_object_size(a, 0)', '16:unsigned long'], ['__builtin_object_size(&a[1], 1)', '12:unsigned long'], ['__builtin_object_size(&m[1][1], 0)', '8:unsigned long'], ['__builtin_object_size(&n.k, 1)', '1:unsigned long'],
  ['__builtin_object_size("abc", 0)', '4:unsigned long'], ['__builtin_object_size(a + 9, 0)', '0:unsigned long'], ['__builtin_object_size(p, 0)', '18446744073709551615:unsigned long'], ['__builtin_object_size(p, 2)', '0:unsigned long'],
  // bit-fields
  ['n.b + 1', '(+ <int>[n.b@16:0+3] 1:int):int'], ['n.b < -1', '(< <int>[n.b@16:0+3] (- 1:int):int)'], ['(n.b = 7) + 1', '(+ <int>(= n.b@16:0+3 <unsigned int>7:int):unsigned int 1:int):int'],
  ['bf.wide + 1', '(+ [bf.wide@0:0+40] <long long>1:int):long long'], ['bf.exact + 1', '(+ <unsigned int>[bf.exact@8:0+32] <unsigned int>1:int):unsigned int'], ['bf.flag + 1', '(+ <int>[bf.flag@12:0+1] 1:int):int'],
  // assignment
  ['c = i', '(= c <char>[i]):char'], ['t = d', '(= t <_Bool>[d]):_Bool'], ['t = p', '(= t <_Bool>[p]):_Bool'], ['f = 1', '(= f <float>1:int):float'], ['p = 0', '(= p <int *>0:int):int *'],
  ['p = (void *)0', '(= p <int *>(void *)0:int):int *'], ['v = p', '(= v <void *>[p]):void *'], ['p = v', '(= p <int *>[v]):int *'], ['cp = p', '(= cp <const int *>[p]):const int *'],
  ['c += d', '(+= c [d] in double):char'], ['us *= us', '(*= us <int>[us] in int):unsigned short'], ['u -= l', '(-= u [l] in long):unsigned int'], ['c <<= l', '(<<= c [l] in int):char'],
  ['u >>= c', '(>>= u <int>[c] in unsigned int):unsigned int'], ['i |= t', '(|= i <int>[t] in int):int'], ['n = make()', '(= n (call &make):struct node):struct node'],
  ['c++', '(++ old c in int):char'], ['--f', '(-- f in float):float'], ['t++', '(++ old t in int):_Bool'], ['color++', '(++ old color in unsigned int):enum color'], ['n.b--', '(-- old n.b@16:0+3 in int):unsigned int'],
  // pointers
  ['p + 1', '(ptr+ [p] 1:int):int *'], ['c + p', '(ptr+ [p] <int>[c]):int *'], ['p - ul', '(ptr- [p] [ul]):int *'], ['p - cp', '(ptrdiff [p] [cp]):long'], ['p++', '(ptr+= old p 1:int):int *'], ['--q', '(ptr-= q 1:int):char *'],
  ['p += c', '(ptr+= p <int>[c]):int *'], ['v + 1', '(ptr+ [v] 1:int):void *'], ['*p', '[*[p]]'], ['a[i]', '[*(ptr+[] decay(a) [i]):int *]'], ['i[a]', '[*(ptr+[] decay(a) [i]):int *]'],
  ['m[1][2]', '[*(ptr+[] decay(*(ptr+[] decay(m) 1:int):int (*)[3]) 2:int):int *]'], ['&a[4]', '(ptr+ decay(a) 4:int):int *'], ['&*p', '[p]'], ['*&i', '[i]'], ['&a', '&a'], ['&m[1]', '(ptr+ decay(m) 1:int):int (*)[3]'],
  ['p == 0', '(== [p] <int *>0:int)'], ['0 != p', '(!= <int *>0:int [p])'], ['p == v', '(== <void *>[p] [v])'], ['p < cp', '(< <const int *>[p] [cp])'], ['!p', '(! [p])'], ['p && i', '(&& [p] [i])'],
  ['a', 'decay(a)'], ['*a', '[*decay(a)]'], ['**m', '[*decay(*decay(m))]'],
  // conditional, comma, casts
  ['t ? c : uc', '(? [t] <int>[c] <int>[uc]):int'], ['t ? p : 0', '(? [t] [p] <int *>0:int):int *'], ['t ? p : v', '(? [t] <void *>[p] [v]):void *'], ['t ? p : cp', '(? [t] <const int *>[p] [cp]):const int *'],
  ['t ? i : d', '(? [t] <double>[i] [d]):double'], ['t ? nothing() : (void)0', '(? [t] (call &nothing):void (void)0:int):void'], ['t ? n : make()', '(? [t] [n] (call &make):struct node):struct node'], ['c ?: l', '(? [c] - [l]):long'],
  ['i, c', '(, [i] [c])'], ['(char)300', '(char)300:int'], ['(long)p', '(long)[p]'], ['(int *)l', '(int *)[l]'], ['(void)i', '(void)0:int'], ['(void)vi', '(void)[vi]'], ['(t)', '[t]'],
  ['(unsigned long)&((node *)0)->next', '8:unsigned long'], ['__builtin_offsetof(node, next)', '8:unsigned long'], ['__builtin_offsetof(struct { int x[4]; }, x[2])', '8:unsigned long'],
  // sizeof
  ['sizeof(int)', '4:unsigned long'], ['sizeof a', '16:unsigned long'], ['sizeof *p', '4:unsigned long'], ['sizeof(node)', '24:unsigned long'], ['sizeof "abc"', '4:unsigned long'], ['sizeof(c + c)', '4:unsigned long'],
  ['sizeof(c)', '1:unsigned long'], ["sizeof 'a'", '4:unsigned long'], ['sizeof(int[3])', '12:unsigned long'], ['_Alignof(double)', '8:unsigned long'], ['sizeof (int){3}', '4:unsigned long'], ['sizeof(void)', '1:unsigned long'],
  ['sizeof(i) - 1', '(- 4:unsigned long <unsigned long>1:int):unsigned long'],
  // members
  ['n.v', '[n.v@0]'], ['np->next->v', '[*[*[np].next@8].v@0]'], ['n.m', '[n.m@20]'], ['make().v', '(call &make):struct node.v@0'], ['&np->v', '&*[np].v@0'], ['np->next->next = np', '(= *[*[np].next@8].next@8 [np]):struct node *'],
  // calls
  ['g(c)', '(call &g <int>[c]):int'], ['fp(1)', '(call [fp] 1:int):int'], ['(*fp)(1)', '(call [fp] 1:int):int'], ['(&g)(1)', '(call &g 1:int):int'], ['(***g)(1)', '(call &g 1:int):int'], ['half(d)', '(call &half <float>[d]):double'],
  ['any(c, f)', '(call &any <int>[c] <double>[f]):int'], ['printf("%d", c, f)', '(call &printf <const char *>decay("%d\\u0000":char [3]) <int>[c] <double>[f]):int'], ['fp = g', '(= fp &g):int (*)(int)'], ['fp = &g', '(= fp &g):int (*)(int)'],
  ['(*fpp())[2]', '[*(ptr+[] decay(*(call &fpp):int *(*)[3]) 2:int):int **]'], ['__builtin_memcpy(p, q, 3)', '(call &memcpy <void *>[p] <const void *>[q] <unsigned long>3:int):void *'],
  // strings and literals
  ['"a" "b"', 'decay("ab\\u0000":char [3])'], ['"\\x41\\102\\n"', 'decay("AB\\n\\u0000":char [4])'], ['"abc"[1]', '[*(ptr+[] decay("abc\\u0000":char [4]) 1:int):char *]'], ['(int[]){1, 2}[1]', '[*(ptr+[] decay((literal int [2] {0:1:int, 4:2:int}/8)) 1:int):int *]'],
  ['(struct node){ .v = 2 }.v', '[(literal struct node {0:2:int}/24).v@0]'], ['&(int){3}', '&(literal int {0:3:int}/4)'],
  // GNU forms
  ['({ int z = 2; z + 1; })', '({int z = 2:int; => (+ [z] 1:int):int})'], ['({ i; nothing(); })', '({[i]; (call &nothing):void; => void})'], ['__builtin_expect(i, 0)', '<long>[i]'], ['__builtin_constant_p(3 + 4)', '1:int'],
  ['__builtin_constant_p(i)', '0:int'], ['__builtin_choose_expr(1, c, d)', '[c]'], ['__builtin_types_compatible_p(int, unsigned)', '0:int'], ['__builtin_types_compatible_p(int[], int[5])', '1:int'], ['sizeof(__typeof__(l))', '8:unsigned long'],
  ['_Generic(c, int: 1, char: 2, default: 3)', '2:int'], ['_Generic(c + 0, int: 1, char: 2, default: 3)', '1:int'], ['_Generic("x", char *: 1, default: 3)', '1:int'], ['_Generic(cp, int *: 1, const int *: 2)', '2:int'],
  ['__VERIFIER_nondet_uint()', '(call &__VERIFIER_nondet_uint):unsigned int'], ['__VERIFIER_assume(p != 0)', '(call &__VERIFIER_assume (!= [p] <int *>0:int)):void'], ['__CPROVER_assume(ll)', '(call &__CPROVER_assume <_Bool>[ll]):void'],
  ['__func__', 'decay("f0\\u0000":const char [3])'],
])('%s', (text, expected) => check(text, expected));

test.each([
  ['2147483648', '2147483648:long long'], ['0xffffffff', '4294967295:unsigned int'], ['4294967295', '4294967295:long long'], ['sizeof(long)', '4:unsigned int'], ['sizeof p', '4:unsigned int'], ['p - cp', '(ptrdiff [p] [cp]):int'],
  ['u + l', '(+ <unsigned long>[u] <unsigned long>[l]):unsigned long'], ['l + ull', '(+ <unsigned long long>[l] [ull]):unsigned long long'], ['sizeof(struct { char c; double d; })', '12:unsigned int'], ['_Alignof(long long)', '4:unsigned int'],
  ["L'x'", '120:long'], ['np->next', '[*[np].next@4]'],
])('ilp32: %s', (text, expected) => check(text, expected, 'ilp32'));
