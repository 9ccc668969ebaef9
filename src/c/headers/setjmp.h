#ifndef PROVEST_SETJMP_H
#define PROVEST_SETJMP_H
/* Declared, so that files which mention them can be read; a call is reported as not supported. */
typedef struct { long provest_place[25]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf place);
int sigsetjmp(sigjmp_buf place, int save);
_Noreturn void longjmp(jmp_buf place, int value);
_Noreturn void siglongjmp(sigjmp_buf place, int value);
#endif
