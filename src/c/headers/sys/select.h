#ifndef PROVEST_SYS_SELECT_H
#define PROVEST_SYS_SELECT_H
#include <sys/time.h>
#define FD_SETSIZE 1024
typedef struct { unsigned long provest_bits[FD_SETSIZE / (8 * sizeof(unsigned long))]; } fd_set;
#define __PROVEST_FD_WORD(file, set) ((set)->provest_bits[(file) / (int)(8 * sizeof(unsigned long))])
#define __PROVEST_FD_BIT(file) (1UL << (file) % (int)(8 * sizeof(unsigned long)))
#define FD_SET(file, set) ((void)(__PROVEST_FD_WORD(file, set) |= __PROVEST_FD_BIT(file)))
#define FD_CLR(file, set) ((void)(__PROVEST_FD_WORD(file, set) &= ~__PROVEST_FD_BIT(file)))
#define FD_ISSET(file, set) ((__PROVEST_FD_WORD(file, set) & __PROVEST_FD_BIT(file)) != 0)
#define FD_ZERO(set) ((void)(*(set) = (fd_set){ { 0 } }))
int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict other,
           struct timeval *restrict limit);
#endif
