#ifndef PROVEST_LIBGEN_H
#define PROVEST_LIBGEN_H
/* POSIX's: both may change the path. That of <string.h> under _GNU_SOURCE is another function. */
char *dirname(char *path);
char *__xpg_basename(char *path);
#define basename __xpg_basename
#endif
