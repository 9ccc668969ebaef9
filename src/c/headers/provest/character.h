#ifndef PROVEST_CHARACTER_H
#define PROVEST_CHARACTER_H
#include <provest/checks.h>
/* Functions that classify look their argument up in a table, which with glibc has place for what char, unsigned char
 * and EOF can be; C11 7.4p1 leaves all else undefined. */
extern const char __provest_characters[384];
#endif
