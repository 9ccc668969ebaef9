#ifndef PROVEST_PROVEST_ANSWERS_H
#define PROVEST_PROVEST_ANSWERS_H
#include <provest/checks.h>
#include <provest/files.h>
#include <provest/world.h>
/* Answers of the system. They are inputs: a search and a test choose them. Negative ones are minus an error number. */
/* Bytes from outside: in a run these eight, again and again, in a proof anything. */
void __provest_given_bytes(void *target, size_t size, unsigned long long bytes);
/* Bits that were set, some of them: in a run those of these eight bytes, in a proof any. */
void __provest_kept_bits(void *target, size_t size, unsigned long long bits);
/* 0, or -1 with errno. */
int __provest_answer(long answer);
/* A number of at most so many bytes, or -1 with errno. */
long __provest_amount(long answer, size_t most);
/* The same for a message that is received with these flags. */
long __provest_message(long answer, size_t most, int flags);
/* A descriptor, or -1 with errno. */
int __provest_descriptor(long answer);
/* The address of a socket, of which no more is written than there is room for. */
void __provest_give_address(void *address, unsigned *size);
/* Characters that end, at most so many with the end. */
void __provest_give_text(char *target, size_t size);
#endif
