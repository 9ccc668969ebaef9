#include <provest/answers.h>
#include <unistd.h>
void sync(void) {}
