#ifndef PROVEST_SETJMP_H
#define PROVEST_SETJMP_H
typedef struct { long provest_place[25]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf place);
int _setjmp(jmp_buf place);
int sigsetjmp(sigjmp_buf place, int save);
_Noreturn void longjmp(jmp_buf place, int value);
_Noreturn void _longjmp(jmp_buf place, int value);
_Noreturn void siglongjmp(sigjmp_buf place, int value);
#endif
