#include <provest/answers.h>
int __provest_descriptor(long answer) { return answer < 0 ? __provest_fail(answer) : (int)(answer & 0x7fffffff); }
