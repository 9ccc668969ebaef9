#ifndef PROVEST_NETINET_IN_H
#define PROVEST_NETINET_IN_H
/* Numbers in the order of the network, and nothing of sockets. */
#include <stdint.h>
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
struct in_addr { in_addr_t s_addr; };
#define INADDR_ANY ((in_addr_t)0)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
uint32_t htonl(uint32_t number);
uint16_t htons(uint16_t number);
uint32_t ntohl(uint32_t number);
uint16_t ntohs(uint16_t number);
#endif
