#ifndef PROVEST_STDNORETURN_H
#define PROVEST_STDNORETURN_H
#define noreturn _Noreturn
#endif
