#include <arpa/inet.h>
#include <errno.h>
#include <provest/answers.h>
char *inet_ntoa(struct in_addr address) {
  static char text[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &address, text, sizeof text);
  return text;
}
