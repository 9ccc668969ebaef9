/* What cmark's build makes: nothing is exported from a program. */
#ifndef CMARK_EXPORT
#define CMARK_EXPORT
#endif
