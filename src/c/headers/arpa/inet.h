#ifndef PROVEST_ARPA_INET_H
#define PROVEST_ARPA_INET_H
/* Numbers in the order of the network, and nothing of addresses. */
#include <netinet/in.h>
#endif
