import { diagnosticsOf } from './diagnosticText';

/** Each text with all that is said of it: `line:from-to message [hint] {line:from note}`. */
test.each<[string, readonly string[]]>([
  [
    'int f(int count) { return coutn + 1; }',
    ["1:27-31 use of the undeclared identifier 'coutn' [Did you mean 'count'?] {1:11 'count' is declared here}"],
  ],
  ['int f(void) { return undeclared + undeclared; }', ["1:22-31 use of the undeclared identifier 'undeclared'"]],
  [
    'struct node { int value; }; int f(struct node *n) { return n->vlaue; }',
    ["1:63-67 no member named 'vlaue' in 'struct node' [Did you mean 'value'?]"],
  ],
  [
    'struct node { int value; }; int f(struct node *n) { return n.value; }',
    ["1:60-66 '.' needs a struct or union, not 'struct node *' [Write '->value': the left side is a pointer.]"],
  ],
  [
    'struct node { int value; }; int f(struct node n) { return n->value; }',
    [
      "1:59-66 '->' needs a pointer to a struct or union, not 'struct node' [Write '.value': " +
        'the left side is not a pointer.]',
    ],
  ],
  [
    'struct s { int a, b; }; int f(struct s s) { return s.zzz; }',
    ["1:54-56 no member named 'zzz' in 'struct s' [Its members are 'a', 'b'.]"],
  ],
  ['int f(int x) { return x.y; }', ["1:23-25 '.' needs a struct or union, not 'int'"]],
  ['void f(void) { printf("x"); }', ["1:16-21 call of the undeclared function 'printf' [Add '#include <stdio.h>'.]"]],
  [
    'void f(void) { frobnicate(1); }',
    [
      "1:16-25 call of the undeclared function 'frobnicate' [Declare it first, " +
        "for example 'extern int frobnicate(int);'.]",
    ],
  ],
  [
    'void f(int *p, char c) { frobnicate(p, c, 2.0f, "text"); frobnicate2(y); }',
    [
      "1:26-35 call of the undeclared function 'frobnicate' [Declare it first, " +
        "for example 'extern int frobnicate(int *, int, double, char *);'.]",
      "1:58-68 call of the undeclared function 'frobnicate2' [Declare it first, " +
        "for example 'extern int frobnicate2(int);'.]",
      "1:70-70 use of the undeclared identifier 'y'",
    ],
  ],
  [
    'void f(void) { frobnicate(); }',
    [
      "1:16-25 call of the undeclared function 'frobnicate' [Declare it first, " +
        "for example 'extern int frobnicate(void);'.]",
    ],
  ],
  ['int *p = NULL;', ["1:10-13 use of the undeclared identifier 'NULL' [Add '#include <stddef.h>'.]"]],
  [
    'void g(int); void f(void) { g(); g(1, 2); }',
    [
      "1:29-31 too few arguments: 'g' takes 1 argument, not 0 {1:6 'g' is declared here}",
      "1:34-40 too many arguments: 'g' takes 1 argument, not 2 {1:6 'g' is declared here}",
    ],
  ],
  [
    'int printf(const char *, ...); void f(void) { printf(); }',
    ["1:47-54 too few arguments: 'printf' takes at least 1 argument, not 0 {1:5 'printf' is declared here}"],
  ],
  ['void f(int x) { x(); }', ["1:17-19 'x' is not a function but 'int' {1:12 'x' is declared here}"]],
  [
    'void f(int (*p)(int)) { p(); }',
    ["1:25-27 too few arguments: 'p' takes 1 argument, not 0 {1:14 'p' is declared here}"],
  ],
  ['void f(int *p) { p = 5; }', ["1:18-22 number converted to a pointer without a cast: assigning 'int' to 'int *'"]],
  [
    'int f(int *p) { return p; }',
    [
      "1:24-24 pointer converted to a number without a cast: returning 'int *' from 'f' with result type 'int' " +
        "[Dereference it with '*', or write a cast: '(int)'.]",
    ],
  ],
  [
    'void g(char *s); void f(int c) { g(c); }',
    [
      "1:36-36 number converted to a pointer without a cast: passing 'int' as argument 1 of 'g', " +
        "which has type 'char *' {1:6 'g' is declared here}",
    ],
  ],
  [
    'void f(int x) { int *p = x; }',
    [
      "1:26-26 number converted to a pointer without a cast: initialising 'p' of type 'int *' with 'int' " +
        "[Take its address with '&'.]",
    ],
  ],
  [
    'struct s { int a; } s; void f(int x) { x = s; s = x; }',
    [
      "1:40-44 incompatible types: assigning 'struct s' to 'int'",
      "1:47-51 incompatible types: assigning 'int' to 'struct s'",
    ],
  ],
  [
    'struct s { int a; }; void g(struct s s); void f(struct s *p) { g(p); }',
    [
      "1:66-66 incompatible types: passing 'struct s *' as argument 1 of 'g', which has type 'struct s' " +
        "[Dereference it with '*'.] {1:27 'g' is declared here}",
    ],
  ],
  ['void g(void); int f(void) { return g(); }', ['1:36-38 this expression has no value: its type is void']],
  ['void f(int *p, int *q) { p = p + q; }', ["1:30-34 invalid operands of '+': 'int *' and 'int *'"]],
  [
    'void f(int *p, char *q) { p - q; }',
    ["1:27-31 invalid operands of '-': 'int *' and 'char *' [Only pointers to the same type can be subtracted.]"],
  ],
  [
    'void f(int *p) { if (p == 1) ; }',
    ["1:22-27 invalid operands of '==': 'int *' and 'int' [A pointer can be compared with a pointer or with 0.]"],
  ],
  [
    'struct s { int a; } s, t; int f(void) { return s == t; }',
    ["1:48-53 invalid operands of '==': 'struct s' and 'struct s' [Compare the members one by one.]"],
  ],
  [
    'void f(double d) { d % 2; ~d; d << 1; }',
    [
      "1:20-24 invalid operands of '%': 'double' and 'int'",
      "1:27-28 the operand of '~' is 'double', not an integer",
      "1:31-36 invalid operands of '<<': 'double' and 'int'",
    ],
  ],
  [
    'void f(int i) { *i; &5; i[3]; }',
    [
      "1:17-18 '*' needs a pointer, not 'int'",
      "1:21-22 '&' needs a variable or another place in memory, not a value of type 'int'",
      "1:25-28 '[…]' needs an array or a pointer, not 'int'",
    ],
  ],
  [
    'void f(void) { const int n = 1; n = 2; n++; n += 1; }',
    [
      "1:33-33 'n' is const: 'const int' {1:26 'n' is declared here}",
      "1:40-40 'n' is const: 'const int' {1:26 'n' is declared here}",
      "1:45-45 'n' is const: 'const int' {1:26 'n' is declared here}",
    ],
  ],
  [
    'void f(const char *s) { *s = 0; s[1] = 0; }',
    [
      "1:25-26 the left side of the assignment is const: 'const char'",
      "1:33-36 the left side of the assignment is const: 'const char'",
    ],
  ],
  [
    'struct s { const int a; } x, y; void f(void) { x.a = 1; x = y; }',
    [
      "1:48-50 the left side of the assignment is const: 'const int' {1:27 'x' is declared here}",
      "1:57-57 the left side of the assignment has the const member 'a'",
    ],
  ],
  [
    'void f(int a) { 3 = a; a + 1 = 2; f = 0; a == 1 = 2; }',
    [
      '1:17-17 the left side of the assignment is a value, not a place that can be assigned to',
      "1:24-28 the left side of the assignment is a value, not a place that can be assigned to [Is '==' meant?]",
      '1:35-35 a function cannot be assigned to',
      "1:42-47 the left side of the assignment is a value, not a place that can be assigned to [Is '==' meant?]",
    ],
  ],
  [
    'void f(void) { int a[3]; a = 0; }',
    ["1:26-26 an array cannot be assigned to: 'int [3]' [Copy its elements in a loop, or with memcpy.]"],
  ],
  [
    'struct s { int b : 3; } s; void f(void) { &s.b; sizeof s.b; }',
    ["1:43-46 '&' cannot be applied to the bit-field 'b'", "1:49-58 'sizeof' cannot be applied to the bit-field 'b'"],
  ],
  ['void f(void) { register int r; &r; }', ["1:32-33 '&' cannot be applied to 'r', which is declared 'register'"]],
  ['void f(void) { break; }', ["1:16-21 'break' outside a loop or 'switch'"]],
  [
    'void f(void) { continue; switch (1) { continue; } }',
    ["1:16-24 'continue' outside a loop", "1:39-47 'continue' outside a loop"],
  ],
  ['void f(void) { goto out; ouy: ; }', ["1:21-23 no label 'out' in this function [Did you mean 'ouy'?]"]],
  ['void f(void) { a: ; a: ; }', ["1:21-21 two labels are named 'a' {1:16 the first one is here}"]],
  [
    'void f(int x) { switch (x) { case 1: case 2 ... 4: case 3: ; } }',
    ["1:52-58 two 'case' labels for 3 {1:38 the first one is here}"],
  ],
  [
    'void f(int x) { switch (x) { default: default: ; } }',
    ["1:39-46 two 'default' labels in one 'switch' {1:30 the first one is here}"],
  ],
  ['void f(int x) { switch (x) { case x: ; } }', ["1:35-35 a 'case' label must be a constant"]],
  ['void f(double x) { switch (x) { } }', ["1:28-28 'switch' needs an integer, not 'double'"]],
  ['void f(void) { case 1: ; }', ["1:16-22 'case' outside a 'switch'"]],
  [
    'void f(void) { return 1; }',
    ["1:23-23 'return' with a value in 'f', which returns nothing {1:6 'f' is declared here}"],
  ],
  [
    'int f(void) { return; }',
    ["1:15-21 'return' without a value in 'f', which returns 'int' {1:5 'f' is declared here}"],
  ],
  [
    'int x; float x;',
    ["1:14-14 conflicting types for 'x': 'float', before 'int' {1:5 the previous declaration is here}"],
  ],
  [
    'int f(int); int f(char *p) { return 0; }',
    ["1:17-17 conflicting types for 'f': 'int (char *)', before 'int (int)' {1:5 the previous declaration is here}"],
  ],
  [
    'int f(void) { return 1; } int f(void) { return 2; }',
    ["1:31-31 'f' is defined twice {1:5 the first definition is here}"],
  ],
  ['int x = 1; int x = 2;', ["1:16-16 'x' is defined twice {1:5 the first definition is here}"]],
  [
    'int f(void); static int f(void) { return 1; }',
    ["1:25-25 'f' is static here, but not in its previous declaration {1:5 the previous declaration is here}"],
  ],
  [
    'static int x; int x;',
    ["1:19-19 'x' is static in its previous declaration, but not here {1:12 the previous declaration is here}"],
  ],
  ['int f(int a, int a) { return a; }', ["1:18-18 two parameters are named 'a' {1:11 the first one is here}"]],
  ['void f(void) { int x; int x; }', ["1:27-27 'x' is declared twice {1:20 the first declaration is here}"]],
  ['void f(int x) { int x; }', ["1:21-21 'x' is declared twice {1:12 the first declaration is here}"]],
  ['struct s { int a; char a; };', ["1:24-24 two members are named 'a' {1:16 the first one is here}"]],
  ['struct s { int a; struct { int a; }; };', ["1:19-36 two members are named 'a' {1:16 the first one is here}"]],
  [
    'struct s { int a; }; struct s { int b; };',
    ["1:29-29 'struct s' is defined twice {1:8 the first definition is here}"],
  ],
  ['struct s { int a; }; union s x;', ["1:22-28 's' is not a union {1:8 its declaration is here}"]],
  ['enum e { A, B, A };', ["1:16-16 'A' is declared twice {1:10 the first declaration is here}"]],
  ['int A; enum { A };', ["1:15-15 'A' is declared twice {1:5 the first declaration is here}"]],
  [
    'typedef int T; typedef char T;',
    ["1:29-29 the type 'T' is defined differently: 'char', before 'int' {1:13 the previous declaration is here}"],
  ],
  [
    'typedef int T; int T;',
    ["1:20-20 'T' is declared as something else before {1:13 the previous declaration is here}"],
  ],
  [
    'struct s; struct s x; struct s *p; int f(void) { return p->a; }',
    [
      "1:20-20 'x' has the incomplete type 'struct s' [Only a pointer to it can be declared here: 'struct s *x'.]",
      "1:60-60 'struct s' is incomplete here: its members are not known",
    ],
  ],
  [
    'struct s { struct s inner; };',
    ["1:21-25 the member 'inner' has the incomplete type 'struct s' [A pointer to it would do: 'struct s *inner'.]"],
  ],
  [
    'struct s { int f(void); };',
    ["1:16-22 the member 'f' is a function [A pointer to a function is written 'int (*f)(void)'.]"],
  ],
  ['struct s { int a[]; int b; };', ["1:16-16 the array 'a' without a length must be the last member"]],
  [
    'struct s { float f : 3; int w : 40; int n : -1; int z : 0; };',
    [
      "1:18-22 the member 'f' is a bit-field of type 'float', which is not an integer",
      "1:33-34 the member 'w' is wider (40 bits) than its type 'int' (32)",
      "1:45-46 the member 'n' has a negative width (-1)",
      "1:57-57 the member 'z' has width 0, which only unnamed bit-fields may have",
    ],
  ],
  [
    'int a[-1]; int b[1.5]; int c[0x80000000];',
    [
      "1:7-8 the length of the array 'a' is negative (-1)",
      "1:18-20 the length of the array 'b' is not an integer but 'double'",
      "1:30-39 the array 'c' is too large (2147483648 elements)",
    ],
  ],
  ['int n; int a[n];', ["1:14-14 the length of the array 'a' is not a constant, as it must be outside functions"]],
  [
    'void f(int n) { int v[n] = { 1 }; }',
    ["1:28-32 the array 'v' has no constant length and cannot have an initializer"],
  ],
  ['void f(int n) { static int v[n]; }', ["1:28-28 'v' is 'static' and has a length that is not a constant"]],
  ['void f(int n) { extern int v[n]; }', ["1:28-28 'v' is 'extern' and has a length that is not a constant"]],
  [
    'void f(int n) { struct { int v[n]; } s; }',
    ["1:30-33 the member 'v' has a length that is not a constant, which is not supported"],
  ],
  ['int f(void) { return sizeof(int[*]); }', ["1:32-34 '[*]' outside the parameters of a declaration"]],
  ['void f(void) { int a[]; }', ["1:20-20 the length of the array 'a' is not given"]],
  [
    'int a[3][]; void b[2]; int c[2](void);',
    [
      "1:5-8 'a' is an array whose elements are arrays of unknown length [Only the first length may be left out.]",
      "1:18-21 'b' is an array of void",
      "1:28-31 'c' is an array of functions, which C does not have [An array of pointers to functions is " +
        "written 'int (*a[4])(void)'.]",
    ],
  ],
  [
    'int f(void)[3]; int g(void)(void);',
    [
      "1:5-11 'f' cannot return an array [Return a pointer, or a struct that holds the array.]",
      "1:21-27 'g' cannot return a function [Return a pointer to it.]",
    ],
  ],
  [
    'void x; int f(void y); int g(int, void);',
    [
      "1:6-6 the variable 'x' has type void",
      "1:15-20 the parameter 'y' has type void",
      "1:35-38 'void' must be the only parameter",
    ],
  ],
  ['int a[2] = 3; int b = {{1, 2}};', ['1:12-12 an array needs a list in braces as its initializer']],
  [
    'int a[2] = {[5] = 1}; struct s { int x; } s = {.y = 1}; int c = {.x = 1};',
    [
      '1:13-15 the index 5 is outside the array, which has 2 elements',
      "1:48-49 no member named 'y' in 'struct s' [Its members are 'x'.]",
      '1:66-67 a designator in the initializer of a single value',
    ],
  ],
  [
    'int g(void); int x = g(); int y = x;',
    [
      '1:22-24 the initializer of a static object must be a constant',
      '1:35-35 the initializer of a static object must be a constant',
    ],
  ],
  [
    '_Static_assert(sizeof(int) == 8, "int is " "small"); _Static_assert(0, "");',
    ['1:16-31 static assertion failed: int is small', '1:69-69 static assertion failed'],
  ],
  [
    "int a = 08, b = 0x, c = 1uu, d = 1.5q; char e = 'abcde', f = '';",
    [
      "1:9-10 '08' has a digit that is not octal [A number that begins with 0 is octal.]",
      "1:17-18 '0x' is not a number",
      "1:25-27 invalid suffix 'uu' on an integer constant",
      "1:34-37 '1.5q' is not a number",
      '1:49-55 character constant too long for its type [A string is written with double quotes.]',
      '1:62-63 empty character constant',
    ],
  ],
  [
    'unsigned long a = 18446744073709551616; long b = 9223372036854775808;',
    [
      '1:19-38 the integer constant 18446744073709551616 is too large for any type',
      "1:50-68 the integer constant 9223372036854775808 is too large for any signed type [Add the suffix 'u' " +
        'for an unsigned constant.]',
    ],
  ],
  ['char *s = "\\x100"; char *t = "\\q";', ["1:11-17 the escape sequence '\\x100' is out of range"]],
  [
    'struct s { int a; } s; void f(void) { (struct s)1; (int)s; if (s) ; !s; (float)&s; }',
    [
      "1:39-49 cast to 'struct s', which is not a number or a pointer",
      "1:52-57 'struct s' cannot be cast to 'int'",
      "1:64-64 a condition must be a number or a pointer, not 'struct s'",
      "1:70-70 the operand of '!' must be a number or a pointer, not 'struct s'",
      "1:73-81 'struct s *' cannot be cast to 'float'",
    ],
  ],
  [
    'void f(int c) { _Generic(c, char: 1, float: 2); _Generic(c, int: 1, int: 2); }',
    [
      "1:26-26 no association for the type 'int'",
      "1:69-74 two associations for the type 'int' {1:61 the first one is here}",
    ],
  ],
  [
    'void f(int n, ...) { __builtin_va_list a; __builtin_va_arg(a, char); __builtin_va_arg(n, int); } ' +
      'void g(int n) { __builtin_va_list a; __builtin_va_start(a, n); }',
    [
      "1:63-66 arguments of type 'char' are passed through '...' as 'int' [Read it as 'int'.]",
      "1:87-87 a va_list is needed here, not 'int'",
      "1:135-158 'va_start' in 'g', which takes a fixed number of arguments",
    ],
  ],
  [
    'foo x; sizet y; uint32_t z;',
    [
      "1:1-3 unknown type name 'foo'",
      "1:8-12 unknown type name 'sizet'",
      "1:17-24 unknown type name 'uint32_t' [Add '#include <stdint.h>'.]",
    ],
  ],
  [
    'static x; f(void) { return 1; }',
    [
      "1:8-8 type missing before 'x' [Write 'int x': C has had no implicit int since C99. " +
        "Or read the file as older C, with the standard 'gnu89'.]",
      "1:11-11 type missing before 'f' [Write 'int f': C has had no implicit int since C99. " +
        "Or read the file as older C, with the standard 'gnu89'.]",
    ],
  ],
  [
    'int f(a, b) int a; { return a; }',
    [
      "1:10-10 the type of the parameter 'b' is missing [Declare it in front of the body, " +
        "as in 'int b;'. Or read the file as older C, with the standard 'gnu89'.]",
    ],
  ],
  ['int f(void) { int x = 1 return x; }', ["1:24-24 expected ';' at the end of a declaration"]],
  ['int f(void) { int x = (1 + 2; return x; }', ["1:29-29 expected ')' before ';' {1:23 to match this '('}"]],
  ['int f(void) { if (1 { return 1; } else return 2; }', ["1:21-21 expected ')' before '{' {1:18 to match this '('}"]],
  [
    'int f(void) { for (int i = 0; i < 3, i++) { } return unknown; }',
    ["1:41-41 expected ';' after the condition of 'for' before ')'"],
  ],
  [
    'int f(void) { foo(; } int g(void) { return 1 +; } int h(void) { return; }',
    [
      "1:19-19 expected an expression before ';'",
      "1:47-47 expected an expression before ';'",
      "1:65-71 'return' without a value in 'h', which returns 'int' {1:55 'h' is declared here}",
    ],
  ],
  ['int f(void) { else ; }', ["1:15-18 'else' without an 'if' before it"]],
  ['int f(void) { return 1; } } int g;', ["1:27-27 extra '}'"]],
  ['struct s { int a int b; };', ["1:17-17 expected ';' at the end of a member declaration"]],
  [
    'int f(void) { long long long x; short char y; unsigned float z; int int w; }',
    [
      "1:15-28 'long long long' is not a type",
      "1:33-42 'short char' is not a type",
      "1:47-60 'unsigned float' is not a type",
      "1:65-71 'int int' is not a type",
    ],
  ],
  [
    'int if; int f(int while);',
    ["1:5-6 expected a name: 'if' is a keyword", "1:19-23 expected ')' before 'while' {1:14 to match this '('}"],
  ],
  ['int x = ;', ["1:9-9 expected an expression before ';'"]],
  ['int f(int x { return x; }', ["1:13-13 expected ')' before '{' {1:6 to match this '('}"]],
  [
    'typedef int T; int f(void) { return T; } int g(void) { return T + 1; }',
    [
      "1:37-37 unexpected type name 'T': expected an expression",
      "1:63-63 unexpected type name 'T': expected an expression",
    ],
  ],
  [
    'void f(void) { static long d = &&a - &&b; long e = (char *)&&a - (char *)&&b; a: b:; }',
    [
      '1:32-40 differences of labels are not supported ' +
        "[A table may have the labels themselves, as in 'static void *t[] = {&&a, &&b};'.]",
      '1:52-76 differences of labels are not supported ' +
        "[A table may have the labels themselves, as in 'static void *t[] = {&&a, &&b};'.]",
    ],
  ],
  [
    'void f(void) { asm goto("" :::: l); l:; } void g(void) { void *p = &&l; l: ; } void h(int p) { goto *p; } ' +
      'void *q = &&r; void i(void) { int j(void) { return 1; } }',
    [
      '1:16-18 inline assembler is not supported',
      "1:102-102 'goto *' needs a pointer, not 'int' [Take the address of a label with '&&label'.]",
      "1:117-119 '&&' takes the address of a label, and there is none outside functions",
      "1:141-141 nested functions are not supported: 'j'",
    ],
  ],
  [
    'int f(void) { int y; __asm__("" : "=r" (y)); return y; } ' +
      'void g(int x) { asm volatile ("" : "+r" (x) : : "memory"); }',
    ['1:22-43 an output of inline assembler whose value nothing says is not supported'],
  ],
  [
    '_Complex double c; _Atomic struct { char c; } a; ' +
      '_Atomic int b[_Generic((_Atomic(int[2]) *)0, default: 1)]; _Decimal64 w; ' +
      'int v __attribute__((vector_size(16)));',
    [
      '1:1-15 complex numbers are not supported',
      "1:20-26 atomic 'struct <unnamed>' is not supported: scalars with their natural alignment are",
      "1:74-88 '_Atomic' does not go with 'int [2]'",
      '1:109-118 decimal floating-point numbers are not supported',
      "1:144-154 the attribute 'vector_size' is not supported",
    ],
  ],
  [
    'int vfork(void); int f(void) { return vfork(); } ' +
      'int g(double *p) { _Thread_local int t; return __sync_fetch_and_add(p, 1); } ' +
      'int h(int *p) { return __sync_fetch_and_frob(p, 1); } int i(void) { return __atomic_load_n(1); }',
    [
      "1:39-45 'vfork' is not supported",
      "1:69-81 't' is thread-local and in a function: it must be 'static' or 'extern', too",
      "1:118-118 '__sync_fetch_and_add' works on integers and pointers, not on 'double'",
      "1:150-176 atomic operations are not supported: '__sync_fetch_and_frob'",
      "1:202-219 '__atomic_load_n' takes 2 arguments, not 1",
    ],
  ],
  [
    'void f(int *p, char *q, const int *r, void (*h)(int)) { p = q; p = r; p = h; p == q; }',
    ["1:71-75 incompatible function pointers: assigning 'void (*)(int)' to 'int *'"],
  ],
  [
    'int g(int); void (*h)(char) = g;',
    ["1:31-31 incompatible function pointers: initialising 'h' of type 'void (*)(char)' with 'int (*)(int)'"],
  ],
  [
    'int f(struct later *p); struct later { int a; }; int g(struct later *p) { return f(p); }',
    [
      "warning 1:7-18 'struct later' is declared inside a parameter list, " +
        "so nothing outside it can have this type [Declare 'struct later;' before the function.]",
      "warning 1:84-84 incompatible pointers: passing 'struct later *' as argument 1 of 'f', " +
        "which has type 'struct later *' {1:5 'f' is declared here}",
    ],
  ],
  [
    'void f(int n) { 5++; --(n + 1); const char *s = "x"; (*s)++; }',
    [
      "1:17-17 the operand of '++' is a value, not a place that can be assigned to",
      "1:24-30 the operand of '--' is a value, not a place that can be assigned to",
      "1:54-57 the operand of '++' is const: 'const char'",
    ],
  ],
  [
    'unsinged x; Vector v; typedef struct { int x; } Vec; Vecc w;',
    [
      "1:1-8 unknown type name 'unsinged' [Did you mean 'unsigned'?]",
      "1:13-18 unknown type name 'Vector'",
      "1:54-57 unknown type name 'Vecc' [Did you mean 'Vec'?]",
    ],
  ],
  [
    'int f(int n) { if (n) { unknwon = 1; } while (n) { n = m; } return n; }',
    ["1:25-31 use of the undeclared identifier 'unknwon'", "1:56-56 use of the undeclared identifier 'm'"],
  ],
  ['typedef int T; void f(void) { T T = 1; T y; }', ["1:40-40 unknown type name 'T'"]],
  ['int f(int x) { int y = x; { int x = y z; } return x; }', ["1:38-38 expected ';' at the end of a declaration"]],
  [
    'enum e; enum e { A = 1ull << 40 }; enum { B = 1.5 };',
    [
      "1:9-33 'enum e' was used before its definition, as if it had the size of an int",
      '1:47-49 the value of an enumeration constant must be an integer constant',
    ],
  ],
  [
    'union u { int a; } u = { 1, 2 }; char c[2] = "abc"; int a[1] = {1, 2}; int i = {1, 2};',
    [
      "warning 1:29-29 more initializers than 'union u' has members",
      'warning 1:46-50 the string has 3 characters, the array 2 elements',
      'warning 1:68-68 more initializers than the array has elements',
      'warning 1:84-84 more initializers than one for a single value',
    ],
  ],
  [
    'struct { int; struct named { int x; }; } s; int; struct t { int a; } ;',
    ['warning 1:10-13 this declares no member', 'warning 1:45-47 this declares nothing'],
  ],
])('%s', (text, expected) => expect(diagnosticsOf(text)).toEqual(expected));
