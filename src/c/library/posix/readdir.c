#include <dirent.h>
#include <errno.h>
#include <provest/answers.h>
#include <stdlib.h>
struct provest_directory { struct dirent entry; };
long __provest_nondet_readdir(void);
unsigned long long __provest_nondet_readdir_name(void);
/* Names have at least a character and no slash. One entry takes the place of the one before.
 * At the end errno is left alone. */
struct dirent *readdir(DIR *directory) {
  struct dirent *entry = &directory->entry;
  unsigned long long name;
  long answer;
  long length;
  unsigned long long slashes;
  __provest_check_write(directory, sizeof *directory);
  answer = __provest_nondet_readdir();
  if (answer < 0) return __provest_fail(answer), (struct dirent *)0;
  if (answer == 0) return 0;
  name = __provest_nondet_readdir_name();
  slashes = name ^ 0x2f2f2f2f2f2f2f2fULL;
  if (((slashes - 0x0101010101010101ULL) & ~slashes & 0x8080808080808080ULL) != 0) name = 'a';
  entry->d_ino = (ino_t)__provest_usually(1);
  entry->d_off = (off_t)__provest_usually(1);
  length = __provest_usually(sizeof *entry);
  entry->d_reclen = 24 <= length && length <= (long)sizeof *entry ? (unsigned short)length : sizeof *entry;
  entry->d_type = (unsigned char)__provest_usually(DT_UNKNOWN);
  __provest_given_bytes(entry->d_name, 255, name);
  entry->d_name[255] = 0;
  if (entry->d_name[0] == 0) entry->d_name[0] = 'a';
  return entry;
}
