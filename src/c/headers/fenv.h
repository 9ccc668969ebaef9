#ifndef PROVEST_FENV_H
#define PROVEST_FENV_H
/*
 * Rounding is to nearest throughout, and no other direction has a name here (C11 7.6p8 leaves that open). Nothing keeps
 * the flags of exceptions: what would tell one ends a run, and in a proof may tell anything. Numbers as on x86.
 */
#define FE_TONEAREST 0
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
typedef unsigned short fexcept_t;
typedef struct { unsigned int provest_unused; } fenv_t;
#define FE_DFL_ENV ((const fenv_t *)-1)
int fegetround(void);
int fesetround(int direction);
int feclearexcept(int exceptions);
int feraiseexcept(int exceptions);
int fetestexcept(int exceptions);
int fegetexceptflag(fexcept_t *flags, int exceptions);
int fesetexceptflag(const fexcept_t *flags, int exceptions);
int fegetenv(fenv_t *environment);
int fesetenv(const fenv_t *environment);
int feholdexcept(fenv_t *environment);
int feupdateenv(const fenv_t *environment);
#endif
