#include <provest/answers.h>
#include <unistd.h>
#include <errno.h>
/* If it succeeds, this program ends. */
int execv(const char *path, char *const arguments[]) {
  (void)arguments;
  __provest_check_text(path);
  return __provest_fail(__provest_usually(-ENOENT));
}
