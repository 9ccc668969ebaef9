#include <stdlib.h>
double atof(const char *text) {
  return strtod(text, NULL);
}
