/* Lines split by strtok, with fields copied into local buffers. */
#include <stdio.h>
#include <string.h>
int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    char line[64];
    char *save = NULL;
    strcpy(line, "alpha,beta;gamma,,delta;epsilon zeta");
    line[i % 30] = 'x';
    for (char *field = strtok(line, ",;"); field; field = strtok(NULL, ",;")) {
      char copy[32];
      size_t n = strlen(field);
      if (n >= sizeof copy) n = sizeof copy - 1;
      memcpy(copy, field, n);
      copy[n] = '\0';
      char *space = strchr(copy, ' ');
      if (space) *space = '\0';
      if (strcmp(copy, "delta") == 0) sum += 7;
      sum = sum * 31 + strlen(copy) + (unsigned char)copy[0];
    }
    (void)save;
  }
  printf("%lu\n", sum);
  return 0;
}
