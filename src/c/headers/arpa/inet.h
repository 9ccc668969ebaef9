#ifndef PROVEST_ARPA_INET_H
#define PROVEST_ARPA_INET_H
#include <netinet/in.h>
in_addr_t inet_addr(const char *text);
int inet_aton(const char *text, struct in_addr *result);
char *inet_ntoa(struct in_addr address);
const char *inet_ntop(int family, const void *restrict address, char *restrict target, socklen_t size);
int inet_pton(int family, const char *restrict text, void *restrict result);
#endif
