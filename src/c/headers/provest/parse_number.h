#ifndef PROVEST_PARSE_NUMBER_H
#define PROVEST_PARSE_NUMBER_H
#include <provest/size.h>
/* The length of the number that `text` begins with, after white space; 0 without one. */
size_t __provest_number_length(const char *text);
/* The machine's, of the `size` bytes at `text`, which are a number. In a proof any value. */
double __provest_parse_double(const char *text, size_t size);
float __provest_parse_float(const char *text, size_t size);
int __provest_number_out_of_range(const char *text, size_t size, int width);
#endif
