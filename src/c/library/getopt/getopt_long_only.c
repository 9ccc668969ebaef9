#include <getopt.h>
int __provest_options(int count, char **arguments, const char *letters, const struct option *options, int *index,
    int only);
int getopt_long_only(int count, char *const *arguments, const char *letters, const struct option *options, int *index) {
  return __provest_options(count, (char **)arguments, letters, options, index, 1);
}
