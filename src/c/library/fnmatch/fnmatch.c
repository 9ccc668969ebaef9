#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

static int folded(char c, int flags) {
  return flags & FNM_CASEFOLD ? tolower((unsigned char)c) : (unsigned char)c;
}

/* Whether c is in the class whose name takes this many characters. */
static int in_class(const char *name, size_t length, int c) {
  static const struct { const char *name; int (*holds)(int); } classes[] = {
    { "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl }, { "digit", isdigit },
    { "graph", isgraph },
    { "lower", islower }, { "print", isprint }, { "punct", ispunct }, { "space", isspace }, { "upper", isupper },
    { "xdigit", isxdigit },
  };
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (strlen(classes[i].name) == length && strncmp(classes[i].name, name, length) == 0)
      return classes[i].holds(c) != 0;
  }
  return 0;
}

/* An element of a bracket expression, which is a character or [.c.], whose case counts; `p` goes on behind it. 0 where
 * the expression does not end. */
static int element(const char **p, int flags, unsigned char *c) {
  const char *s = *p;
  if (s[0] == '[' && s[1] == '.' && s[2] != '\0' && s[3] == '.' && s[4] == ']') {
    *c = (unsigned char)s[2];
    *p = s + 5;
    return 1;
  }
  if (s[0] == '\\' && !(flags & FNM_NOESCAPE)) s++;
  if (s[0] == '\0') return 0;
  *c = (unsigned char)folded(s[0], flags);
  *p = s + 1;
  return 1;
}

/* Whether the bracket expression behind `*p` holds c: 1, 0, or -1 where there is no end, so that the bracket stands for
 * itself. `*p` goes on behind the end. */
static int bracket(const char **p, char c, int flags) {
  const char *s = *p;
  int negated = *s == '!' || *s == '^';
  int found = 0;
  if (negated) s++;
  for (const char *start = s; s == start || *s != ']';) {
    unsigned char low;
    unsigned char high;
    if (*s == '\0') return -1;
    if (s[0] == '[' && s[1] == ':') {
      const char *end = strstr(s + 2, ":]");
      if (end != NULL) {
        if (in_class(s + 2, (size_t)(end - s - 2), (unsigned char)c)
            || (flags & FNM_CASEFOLD
                && (in_class(s + 2, (size_t)(end - s - 2), tolower((unsigned char)c))
                    || in_class(s + 2, (size_t)(end - s - 2), toupper((unsigned char)c)))))
          found = 1;
        s = end + 2;
        continue;
      }
    }
    /* [=c=] is c alone, of either case or not. */
    if (s[0] == '[' && s[1] == '=' && s[2] != '\0' && s[3] == '=' && s[4] == ']') {
      if (c == s[2]) found = 1;
      s += 5;
      continue;
    }
    if (!element(&s, flags, &low)) return -1;
    high = low;
    if (s[0] == '-' && s[1] != ']' && s[1] != '\0') {
      s++;
      if (!element(&s, flags, &high)) return -1;
    }
    if (low <= folded(c, flags) && folded(c, flags) <= high) found = 1;
  }
  *p = s + 1;
  return found != negated;
}

/* `text` is a part of a whole that begins at `start`. */
static int matches(const char *pattern, const char *text, const char *start, int flags) {
  for (;;) {
    char c = *pattern++;
    int hidden = *text == '.' && flags & FNM_PERIOD && (text == start || (flags & FNM_PATHNAME && text[-1] == '/'));
    int slash = *text == '/' && flags & FNM_PATHNAME;
    switch (c) {
      case '\0':
        return *text == '\0' || (flags & FNM_LEADING_DIR && *text == '/');
      case '?':
        if (*text == '\0' || slash || hidden) return 0;
        text++;
        break;
      case '*':
        if (hidden) return 0;
        while (*pattern == '*') pattern++;
        for (;; text++) {
          if (matches(pattern, text, start, flags)) return 1;
          if (*text == '\0' || (*text == '/' && flags & FNM_PATHNAME)) return 0;
        }
      case '[': {
        const char *behind = pattern;
        int holds = bracket(&behind, *text, flags);
        if (holds >= 0) {
          if (*text == '\0' || slash || hidden || !holds) return 0;
          pattern = behind;
          text++;
          break;
        }
        if (*text != '[') return 0;
        text++;
        break;
      }
      case '\\':
        if (!(flags & FNM_NOESCAPE)) c = *pattern != '\0' ? *pattern++ : '\0';
        if (c == '\0') return 0;
        /* fall through */
      default:
        if (folded(c, flags) != folded(*text, flags) || *text == '\0') return 0;
        text++;
    }
  }
}

int fnmatch(const char *pattern, const char *text, int flags) {
  return matches(pattern, text, text, flags) ? 0 : FNM_NOMATCH;
}
