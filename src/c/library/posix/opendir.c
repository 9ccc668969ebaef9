#include <dirent.h>
#include <errno.h>
#include <provest/answers.h>
#include <stdlib.h>
struct provest_directory { struct dirent entry; };
long __provest_nondet_opendir(void);
DIR *opendir(const char *path) {
  DIR *result;
  __provest_check_text(path);
  if (__provest_answer(__provest_nondet_opendir()) < 0) return 0;
  result = malloc(sizeof *result);
  if (result == 0) errno = ENOMEM;
  return result;
}
