/* What the library's build would make. */
#define MINIZ_EXPORT
