#include <provest/answers.h>
long __provest_amount(long answer, size_t most) {
  if (answer < 0) return __provest_fail(answer);
  return (size_t)answer < most ? answer : (long)most;
}
