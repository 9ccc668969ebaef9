#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_dup(void);
int dup(int file) {
  int result = __provest_descriptor(__provest_nondet_dup());
  return result >= 0 && result == file ? result ^ 1 : result;
}
