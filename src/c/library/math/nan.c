#include <math.h>
double nan(const char *tag) {
  (void)tag;
  return NAN;
}
float nanf(const char *tag) {
  (void)tag;
  return NAN;
}
long double nanl(const char *tag) {
  (void)tag;
  return NAN;
}
