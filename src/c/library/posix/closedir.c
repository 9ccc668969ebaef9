#include <dirent.h>
#include <errno.h>
#include <provest/answers.h>
#include <stdlib.h>
struct provest_directory { struct dirent entry; };
long __provest_nondet_closedir(void);
int closedir(DIR *directory) {
  free(directory);
  return __provest_answer(__provest_nondet_closedir());
}
