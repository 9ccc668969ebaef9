#ifndef PROVEST_SYS_CDEFS_H
#define PROVEST_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __P(parameters) parameters
#define __THROW
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#endif
