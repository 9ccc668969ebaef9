#ifndef PROVEST_PARSE_INTEGER_H
#define PROVEST_PARSE_INTEGER_H
/* The digits after blanks, a sign and the prefix of the base. Values above what long long can hold unsigned are cut to
 * the greatest. */
struct provest_integer { unsigned long long magnitude; int negative; int overflow; };
struct provest_integer __provest_parse_integer(const char *text, char **end, int base);
#endif
