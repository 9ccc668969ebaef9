#include <stdio.h>
#include <string.h>
#include "http_parser.h"
static int at(http_parser *p, const char *text, size_t length, const char *what) { (void)p;
  printf(" %s<%.*s>", what, (int)length, text); return 0; }
static int on_url(http_parser *p, const char *t, size_t n) { return at(p, t, n, "url"); }
static int on_status(http_parser *p, const char *t, size_t n) { return at(p, t, n, "status"); }
static int on_field(http_parser *p, const char *t, size_t n) { return at(p, t, n, "field"); }
static int on_value(http_parser *p, const char *t, size_t n) { return at(p, t, n, "value"); }
static int on_body(http_parser *p, const char *t, size_t n) { return at(p, t, n, "body"); }
static int on_headers(http_parser *p) { printf(" headers(%s %u keep %d)", p->type == HTTP_REQUEST
    ? http_method_str(p->method) : "-", p->status_code, http_should_keep_alive(p)); return 0; }
static int on_end(http_parser *p) { printf(" end(%d.%d)", p->http_major, p->http_minor); return 0; }
static int on_chunk(http_parser *p) { printf(" chunk(%llu)", (unsigned long long)p->content_length); return 0; }
static const char *const texts[] = {
  "GET /a?b=c#d HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n",
      "POST /p HTTP/1.1\r\nContent-Length: 5\r\nX:  y \r\n\r\nhello",
      "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n5;ext=1\r\npedia\r\n0\r\nTrailer: t\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.0 404 Not Found\r\n\r\nuntil the end",
      "CONNECT h:443 HTTP/1.0\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GEX / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\nA: b\n c\n\n", "HEAD /\r\n\r\n",
      "GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "GET / HTTP/1.1\r\nBad Header: 1\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nUpgrade: w\r\nConnection: upgrade\r\n\r\nrest",
};
int main(void) {
  http_parser_settings s;
  http_parser_settings_init(&s);
  s.on_url = on_url; s.on_status = on_status; s.on_header_field = on_field; s.on_header_value = on_value;
  s.on_body = on_body; s.on_headers_complete = on_headers; s.on_message_complete = on_end; s.on_chunk_header = on_chunk;
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) for (size_t step = 1; step < 200; step = step * 5 + 3) {
    http_parser p = { 0 };
    size_t n = strlen(texts[i]), done = 0, read = 0;
    http_parser_init(&p, HTTP_BOTH);
    printf("%u/%zu:", i, step);
    while (done < n && p.http_errno == HPE_OK && !p.upgrade) { size_t want = n - done < step ? n - done : step;
      read = http_parser_execute(&p, &s, texts[i] + done, want); done += read; if (read != want) break; }
    if (p.http_errno == HPE_OK && !p.upgrade) http_parser_execute(&p, &s, NULL, 0);
    printf(" = %zu %s upgrade %d\n", done, http_errno_name(HTTP_PARSER_ERRNO(&p)), p.upgrade);
  }
  static const char *const urls[] = { "http://user:pw@host.org:8080/path?q=1#f", "/only/path", "http://[::1]:80/",
      "http://h:99999/", "x", "https://a?b", "http://a b/" };
  for (unsigned i = 0; i < sizeof urls / sizeof *urls; i++) {
    struct http_parser_url u;
    http_parser_url_init(&u);
    int bad = http_parser_parse_url(urls[i], strlen(urls[i]), 0, &u);
    printf("%s: %d %u", urls[i], bad, u.port);
    for (int f = 0; f < UF_MAX; f++) if (u.field_set & (1 << f)) printf(" %d<%.*s>", f, u.field_data[f].len,
        urls[i] + u.field_data[f].off);
    printf("\n");
  }
  return 0;
}
