#include <getopt.h>
int __provest_options(int count, char **arguments, const char *letters, const struct option *options, int *index,
    int only);
int getopt(int count, char *const *arguments, const char *letters) {
  return __provest_options(count, (char **)arguments, letters, (void *)0, (void *)0, 0);
}
