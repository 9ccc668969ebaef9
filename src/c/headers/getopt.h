#ifndef PROVEST_GETOPT_H
#define PROVEST_GETOPT_H
/* As glibc's: operands are moved behind the options unless the list begins with '+', and come as option 1 where it
 * begins with '-'. */
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
int getopt(int count, char *const *arguments, const char *letters);
int getopt_long(int count, char *const *arguments, const char *letters, const struct option *options, int *index);
int getopt_long_only(int count, char *const *arguments, const char *letters, const struct option *options, int *index);
#endif
