#include <provest/answers.h>
#include <unistd.h>
/* It changes when the parent ends. */
pid_t getppid(void) { return (pid_t)(__provest_usually(1000) & 0x3fffffff); }
