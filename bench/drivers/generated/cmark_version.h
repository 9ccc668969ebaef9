/* What cmark's build makes of its template. */
#define CMARK_VERSION 0x001f01
#define CMARK_VERSION_STRING "0.31.1"
