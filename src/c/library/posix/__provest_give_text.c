#include <provest/answers.h>
unsigned long __provest_nondet_text_length(void);
unsigned long long __provest_nondet_text(void);
void __provest_give_text(char *target, size_t size) {
  size_t length = __provest_nondet_text_length();
  if (size == 0) return;
  if (length >= size) length = size - 1;
  __provest_given_bytes(target, length, __provest_nondet_text());
  target[length] = 0;
}
