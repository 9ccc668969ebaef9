#ifndef PROVEST_FNMATCH_H
#define PROVEST_FNMATCH_H
/* In the "C" locale, where [[.a.]] and [[=a=]] mean a, and nothing else is a collating element. */
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_FILE_NAME FNM_PATHNAME
#define FNM_LEADING_DIR 8
#define FNM_CASEFOLD 16
#define FNM_NOMATCH 1
int fnmatch(const char *pattern, const char *text, int flags);
#endif
