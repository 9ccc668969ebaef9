/* picohttpparser: requests, responses and chunked bodies, whole and cut off anywhere. */
#include <stdio.h>
#include <string.h>
#include "picohttpparser.h"

int main(void) {
  static const char *requests[]
      = { "GET /a?b HTTP/1.1\r\nHost: example.com\r\nX-Long:  two\r\n  lines\r\nCookie: \r\n\r\n",
      "POST / HTTP/1.0\n\n", "GET  HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\na b: c\r\n\r\n",
      "\r\nGET /\377 HTTP/1.1\r\n:x\r\n\r\n" };
  for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++) {
    size_t total = strlen(requests[i]);
    for (size_t cut = 0; cut <= total; cut++) {
      struct phr_header headers[8];
      size_t count = 8, method_length, path_length;
      const char *method, *path;
      int minor, result = phr_parse_request(requests[i], cut, &method, &method_length, &path, &path_length, &minor,
          headers, &count, cut > 0 ? cut - 1 : 0);
      if (result != -2) printf("%zu:%d ", cut, result);
      if (result > 0) {
        printf("%.*s %.*s %d", (int)method_length, method, (int)path_length, path, minor);
        for (size_t h = 0; h < count; h++) printf(" [%.*s=%.*s]", headers[h].name ? (int)headers[h].name_len : 0,
            headers[h].name ? headers[h].name : "", (int)headers[h].value_len, headers[h].value);
      }
    }
    printf("\n");
  }
  const char *response = "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n", *message;
  struct phr_header headers[2];
  size_t count = 2, length;
  int minor, status;
  printf("%d ", phr_parse_response(response, strlen(response), &minor, &status, &message, &length, headers, &count, 0));
  printf("%d %d %.*s %zu\n", minor, status, (int)length, message, count);
  char body[] = "b\r\nhello world\r\n6;comment=hi\r\n, more\r\n0\r\nvary: *\r\n\r\nnext";
  struct phr_chunked_decoder decoder = { 0 };
  decoder.consume_trailer = 1;
  size_t size = sizeof body - 1;
  printf("%zd ", phr_decode_chunked(&decoder, body, &size));
  printf("%zu %.*s\n", size, (int)size, body);
  return 0;
}
