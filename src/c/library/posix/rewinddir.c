#include <dirent.h>
#include <errno.h>
#include <provest/answers.h>
#include <stdlib.h>
struct provest_directory { struct dirent entry; };
void rewinddir(DIR *directory) { __provest_check_write(directory, sizeof *directory); }
