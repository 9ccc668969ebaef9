#include <provest/answers.h>
#include <unistd.h>
long sysconf(int name) {
  if (name == _SC_PAGESIZE) return __provest_usually(4096);
  return __provest_usually(name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 1 : -1);
}
