#include <provest/answers.h>
int __provest_answer(long answer) { return answer >= 0 ? 0 : __provest_fail(answer); }
