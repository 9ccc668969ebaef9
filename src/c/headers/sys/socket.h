#ifndef PROVEST_SYS_SOCKET_H
#define PROVEST_SYS_SOCKET_H
#include <sys/types.h>
#include <sys/uio.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { sa_family_t ss_family; char provest_bytes[118]; unsigned long provest_alignment; };
struct msghdr {
  void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen; void *msg_control;
  size_t msg_controllen; int msg_flags;
};
struct linger { int l_onoff; int l_linger; };
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNSPEC AF_UNSPEC
#define PF_UNIX AF_UNIX
#define PF_LOCAL AF_LOCAL
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_ACCEPTCONN 30
#define SOMAXCONN 4096
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_DONTROUTE 4
#define MSG_CTRUNC 8
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_EOR 0x80
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
int socket(int family, int type, int protocol);
int socketpair(int family, int type, int protocol, int result[2]);
int bind(int socket, const struct sockaddr *address, socklen_t size);
int listen(int socket, int waiting);
int accept(int socket, struct sockaddr *restrict address, socklen_t *restrict size);
int connect(int socket, const struct sockaddr *address, socklen_t size);
int shutdown(int socket, int how);
int getsockname(int socket, struct sockaddr *restrict address, socklen_t *restrict size);
int getpeername(int socket, struct sockaddr *restrict address, socklen_t *restrict size);
int getsockopt(int socket, int level, int name, void *restrict value, socklen_t *restrict size);
int setsockopt(int socket, int level, int name, const void *value, socklen_t size);
ssize_t recv(int socket, void *target, size_t size, int flags);
ssize_t recvfrom(int socket, void *restrict target, size_t size, int flags, struct sockaddr *restrict address,
                 socklen_t *restrict address_size);
ssize_t send(int socket, const void *source, size_t size, int flags);
ssize_t sendto(int socket, const void *source, size_t size, int flags, const struct sockaddr *address,
               socklen_t address_size);
ssize_t recvmsg(int socket, struct msghdr *message, int flags);
ssize_t sendmsg(int socket, const struct msghdr *message, int flags);
#endif
