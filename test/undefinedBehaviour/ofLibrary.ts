/** C text for the rows about the library (clause 7). Keys are rows of docs/reference/undefined-behaviour.md. */
export const ofLibrary: Readonly<Record<string, string>> = {
  100: '#include <string.h>\nint f(void) { char a[8] = "abcdef"; memcpy(a + 1, a, 4); return 1; }',
  101: '#include <stddef.h>\nint f(void) { return sizeof(size_t) > 0; }',
  102: 'int f(void) {\n#include <stddef.h>\n size_t s = 1; return (int)s; }',
  103: 'int f(void) { return (int)sizeof(size_t); }',
  104: '#define const\n#include <string.h>\nint f(void) { return (int)strlen("a"); }',
  105: 'static int abs(int); int f(void) { return abs(-1); }',
  106: 'int __reserved = 1; int f(void) { return __reserved; }',
  107: '#undef __STDC_HOSTED__\nint f(void) { return 1; }',
  108: '#include <stdio.h>\nint f(void) { return printf("%d", 1.5); }',
  109: '#include <string.h>\nint f(void) { char a[4]; memset(a, 0, 5); return 1; }',
  110: '#include <assert.h>\nint f(void) { (assert)(1); return 1; }',
  111: '#include <assert.h>\nstruct s { int a; }; int f(void) { struct s s = { 1 }; assert(s); return 1; }',
  112: 'int f(void) { int x = 1;\n#pragma STDC FENV_ACCESS ON\n return x; }',
  113: '#include <ctype.h>\nint f(void) { return isalpha(-5) != 0; }',
  114: '#include <errno.h>\n#undef errno\nint errno; int f(void) { return errno; }',
  115: '#include <fenv.h>\nint f(void) { return fesetround(FE_UPWARD); }',
  116: '#include <fenv.h>\nint f(void) { return feraiseexcept(1 << 20); }',
  117:
    '#include <fenv.h>\nint f(void) { fexcept_t x; fegetexceptflag(&x, 0); ' +
    'return fesetexceptflag(&x, FE_ALL_EXCEPT); }',
  118: '#include <fenv.h>\nint f(void) { fenv_t e; return fesetenv(&e); }',
  '119a': '#include <stdlib.h>\n#include <limits.h>\nint f(void) { int x = INT_MIN; return abs(x); }',
  '119b': '#include <stdlib.h>\nint f(void) { return atoi("99999999999") != 0; }',
  120: "#include <locale.h>\nint f(void) { char *p = setlocale(LC_ALL, 0); *p = 'x'; return 1; }",
  121: '#include <locale.h>\nint f(void) { localeconv()->decimal_point = 0; return 1; }',
  122: 'int math_errhandling = 1; int f(void) { return math_errhandling; }',
  123: '#include <math.h>\nint f(void) { int x = 1; return isnan(x); }',
  124: '#include <setjmp.h>\nint f(void) { jmp_buf b; return (setjmp)(b); }',
  125: '#include <setjmp.h>\nint f(void) { jmp_buf b; int x = setjmp(b) + 1; return x; }',
  126:
    '#include <setjmp.h>\nstatic jmp_buf b; static void g(void) { if (setjmp(b)) return; } ' +
    'int f(void) { g(); longjmp(b, 1); }',
  127:
    '#include <setjmp.h>\nstatic jmp_buf b; int f(void) { int x = 1; if (setjmp(b)) return x; x = 2; ' +
    'longjmp(b, 1); }',
  128:
    '#include <signal.h>\nint f(void) { int x; signal(SIGINT, (void (*)(int))(void *)&x); raise(SIGINT); ' +
    'return 1; }',
  129:
    '#include <signal.h>\nstatic void h(int s) { (void)s; } int f(void) { signal(SIGFPE, h); int z = 0; ' +
    'return 1 / z; }',
  130:
    '#include <signal.h>\nstatic void h(int s) { (void)s; } int f(void) { signal(SIGSEGV, h); raise(SIGSEGV); ' +
    'return 1; }',
  131:
    '#include <signal.h>\nstatic int n; static void h(int s) { if (n++ < 1) raise(s); } ' +
    'int f(void) { signal(SIGINT, h); raise(SIGINT); return n; }',
  132:
    '#include <signal.h>\nstatic int g; static void h(int s) { g = s; } ' +
    'int f(void) { signal(SIGINT, h); return 1; }',
  133: '#include <signal.h>\n#include <errno.h>\nint f(void) { return signal(-1, SIG_DFL) == SIG_ERR && errno != 0; }',
  134: '#include <signal.h>\nstatic void h(int s) { raise(s + 1); } int f(void) { signal(SIGINT, h); return 1; }',
  135: '#include <threads.h>\nint f(void) { return 1; }',
  136:
    '#include <stdarg.h>\nstatic int g(int n, ...) { va_list l; (void)n; return va_arg(l, int); } ' +
    'int f(void) { return g(1, 2); }',
  137:
    '#include <stdarg.h>\nstatic int h(va_list l) { return va_arg(l, int); } ' +
    'static int g(int n, ...) { va_list l; va_start(l, n); int r = h(l); r += va_arg(l, int); va_end(l); ' +
    'return r; } int f(void) { return g(1, 2, 3); }',
  138: 'int va_end = 1; int f(void) { return va_end; }',
  139:
    '#include <stdarg.h>\nstatic int g(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); } ' +
    'int f(void) { return g(1, 2); }',
  140:
    '#include <stdarg.h>\nstatic int g(int n, ...) { va_list l; va_start(l, n); ' +
    'int (*p)[2] = va_arg(l, int (*)[2]); va_end(l); return (*p)[1]; } ' +
    'int f(void) { int a[2] = { 1, 2 }; return g(1, &a); }',
  141:
    '#include <stdarg.h>\nstatic int g(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); ' +
    'va_end(l); return r; } int f(void) { return g(1, 2.5); }',
  142:
    '#include <stdarg.h>\nstatic int g(int n, ...) { va_list l; va_start(l, n); va_start(l, n); ' +
    'int r = va_arg(l, int); va_end(l); return r; } int f(void) { return g(1, 2); }',
  143:
    '#include <stdarg.h>\nstatic int g(char n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); ' +
    'va_end(l); return r; } int f(void) { return g(1, 2); }',
  144: '#include <stddef.h>\nstruct s { int a : 3; }; int f(void) { return (int)offsetof(struct s, a); }',
  145: '#include <stdint.h>\nint f(void) { return (int)(INT8_C(300) > 0); }',
  146: "#include <wchar.h>\n#include <stdio.h>\nint f(void) { fputwc(L'a', stdout); return putchar('a'); }",
  147: '#include <wchar.h>\n#include <stdio.h>\nint f(void) { return fputws(L"a", stdout); }',
  148:
    '#include <stdio.h>\nint f(void) { FILE *p = fopen("x", "w"); if (!p) return 0; fclose(p); ' +
    "return fputc('a', p); }",
  149: '#include <stdio.h>\nint f(void) { return fflush(stdin); }',
  150: '#include <stdio.h>\nint f(void) { return fopen("x", "q") == 0; }',
  151:
    '#include <stdio.h>\nint f(void) { FILE *p = fopen("x", "w+"); if (!p) return 0; fputc(\'a\', p); ' +
    'return fgetc(p); }',
  152: '#include <stdio.h>\nint f(void) { static char b[64]; setvbuf(stdout, b, _IOFBF, 64); return b[0]; }',
  153: '#include <stdio.h>\nint f(void) { return printf("%d %d", 1); }',
  154: '#include <stdio.h>\nint f(void) { return printf("\\xff"); }',
  155: '#include <stdio.h>\nint f(void) { return printf("%.3c", \'a\'); }',
  156: '#include <stdio.h>\nint f(void) { return printf("%*d", 1); }',
  157: '#include <stdio.h>\nint f(void) { return printf("%#d", 1); }',
  158: '#include <stdio.h>\nint f(void) { return printf("%Lc", \'a\'); }',
  159: "#include <stdio.h>\nint f(void) { char a[2] = { 'a', 'b' }; return printf(\"%s\", a); }",
  160: '#include <stdio.h>\nint f(void) { int n; return printf("%5n", &n); }',
  161: '#include <stdio.h>\nint f(void) { return printf("%5%"); }',
  162: '#include <stdio.h>\nint f(void) { return printf("%y", 1); }',
  163: '#include <stdio.h>\nint f(void) { return printf("%2147483647d%d", 1, 1) < 0; }',
  164: '#include <stdio.h>\nint f(void) { int n; return sscanf("1", "%d", &n); }',
  165: '#include <stdio.h>\nint f(void) { int n = 0; return sscanf("99999999999999999999", "%d", &n); }',
  166: '#include <stdio.h>\nint f(void) { char a[2]; return sscanf("abc", "%s", a); }',
  167: '#include <stdio.h>\n#include <wchar.h>\nint f(void) { wchar_t a[4]; return sscanf("\\xff", "%ls", a); }',
  168: '#include <stdio.h>\nint f(void) { void *p; return sscanf("0x1234", "%p", &p); }',
  169:
    '#include <stdio.h>\n#include <stdarg.h>\n' +
    'static int g(const char *s, ...) { va_list l; va_start(l, s); vprintf(s, l); int r = va_arg(l, int); ' +
    'va_end(l); return r; } int f(void) { return g("%d", 1, 2); }',
  170: '#include <stdio.h>\nint f(void) { char a[4]; fgets(a, 4, stdin); return a[0]; }',
  171:
    '#include <stdio.h>\nint f(void) { FILE *p = fopen("x", "wb+"); if (!p) return 0; ungetc(\'a\', p); ' +
    'return (int)ftell(p); }',
  172: '#include <stdio.h>\nint f(void) { char a[4]; fread(a, 1, 4, stdin); return (int)ftell(stdin); }',
  173: '#include <stdio.h>\nint f(void) { int a[2]; fread(a, 4, 2, stdin); return a[1]; }',
  174:
    '#include <stdio.h>\nint f(void) { FILE *p = fopen("x", "w+"); if (!p) return 0; ' +
    'return fseek(p, 3, SEEK_CUR); }',
  175:
    '#include <stdio.h>\nint f(void) { static fpos_t z; FILE *p = fopen("x", "w+"); if (!p) return 0; ' +
    'return fsetpos(p, &z); }',
  176: '#include <stdlib.h>\nint f(void) { char *p = malloc(0); if (p) *p = 1; return 1; }',
  177: '#include <stdlib.h>\nint f(void) { int *p = malloc(4); *p = 1; free(p); return *p; }',
  178: '#include <stdlib.h>\nint f(void) { return aligned_alloc(3, 3) == 0; }',
  179: '#include <stdlib.h>\nint f(void) { int *p = malloc(4); free(p); free(p); return 1; }',
  180: '#include <stdlib.h>\nint f(void) { int *p = malloc(4); int x = *p; free(p); return x; }',
  181:
    '#include <stdlib.h>\nint f(void) { int *p = malloc(4); *p = 1; p = realloc(p, 8); int x = p[1]; free(p); ' +
    'return x; }',
  182: '#include <stdlib.h>\nstatic void g(void) { exit(1); } int f(void) { atexit(g); exit(2); }',
  183:
    '#include <stdlib.h>\n#include <setjmp.h>\nstatic jmp_buf b; static void g(void) { longjmp(b, 1); } ' +
    'int f(void) { if (setjmp(b)) return 1; atexit(g); exit(2); }',
  '184a': "#include <string.h>\nint f(void) { char *p = strerror(1); *p = 'x'; return 1; }",
  '184b': '#include <stdlib.h>\nint f(void) { char *p = getenv("HOME"); if (p) *p = \'x\'; return 1; }',
  185:
    '#include <stdlib.h>\n#include <signal.h>\n' +
    'static void g(void) { raise(SIGINT); } int f(void) { at_quick_exit(g); quick_exit(2); }',
  186: '#include <stdlib.h>\nint f(void) { return system("true"); }',
  '187a':
    '#include <stdlib.h>\nstatic int c(const void *a, const void *b) ' +
    '{ return *(const int *)a - *(const int *)b; } int f(void) { int *p = 0; qsort(p, 2, sizeof *p, c); ' +
    'return 1; }',
  '187b':
    '#include <stdlib.h>\nstatic int c(const void *a, const void *b) ' +
    '{ return *(const int *)a - *(const int *)b; } int f(void) { int *p = 0; qsort(p, 0, sizeof *p, c); ' +
    'return 1; }',
  188:
    '#include <stdlib.h>\nstatic int c(const void *a, const void *b) { (void)a; (void)b; return 1; } ' +
    'int f(void) { int a[2] = { 1, 2 }; qsort(a, 2, sizeof *a, c); return 1; }',
  189:
    '#include <stdlib.h>\nstatic int c(const void *a, const void *b) ' +
    '{ return *(const int *)a - *(const int *)b; } int f(void) { int a[3] = { 3, 1, 2 }, k = 1; ' +
    'return bsearch(&k, a, 3, sizeof k, c) != 0; }',
  190: '#include <stdlib.h>\n#include <locale.h>\nint f(void) { setlocale(LC_CTYPE, "C"); return mblen("a", 1); }',
  191: '#include <string.h>\nint f(void) { char a[3] = "ab", b[2]; strcpy(b, a); return 1; }',
  192: '#include <string.h>\nint f(void) { char *p = 0; return memcmp(p, "a", 0); }',
  193: '#include <time.h>\nint f(void) { char a[3]; struct tm t = { 0 }; strftime(a, 3, "%Y", &t); return a[0]; }',
  194: '#include <string.h>\nint f(void) { return strtok(0, ",") == 0; }',
  195: '#include <tgmath.h>\nint f(void) { int x; return sqrt(&x) > 0; }',
  196: '#include <tgmath.h>\n#include <complex.h>\nint f(void) { double complex z = 1; return ceil(z) > 0; }',
  197: '#include <time.h>\nint f(void) { struct tm t = { 0 }; t.tm_mon = 99; return asctime(&t)[0]; }',
  198: '#include <wchar.h>\nint f(void) { return wprintf(L"%s", "\\xff"); }',
  199: '#include <wchar.h>\nint f(void) { wchar_t *p = 0; return wcstok(0, L",", &p) == 0; }',
  200: '#include <wchar.h>\nint f(void) { mbstate_t s; return mbrlen("a", 1, &s) == 1; }',
  201: '#include <wctype.h>\nint f(void) { return iswalpha(0x7fffffff) != 0; }',
  202: '#include <wctype.h>\nint f(void) { return iswctype(L\'a\', wctype("alpha")) != 0; }',
  203: "#include <wctype.h>\nint f(void) { return towctrans(L'a', wctrans(\"toupper\")) == L'A'; }",
};
