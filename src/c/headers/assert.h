/* Included again, it looks at NDEBUG again (C11 7.2). */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
void __provest_assert(int condition, const char *text);
/* Variable arguments, so that a comma within braces or brackets does no harm. */
#define assert(...) __provest_assert(!!(__VA_ARGS__), #__VA_ARGS__)
#endif
#undef static_assert
#define static_assert _Static_assert
