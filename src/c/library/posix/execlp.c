#include <provest/answers.h>
#include <unistd.h>
#include <errno.h>
/* If it succeeds, this program ends. */
int execlp(const char *path, const char *first, ...) {
  (void)first;
  __provest_check_text(path);
  return __provest_fail(__provest_usually(-ENOENT));
}
