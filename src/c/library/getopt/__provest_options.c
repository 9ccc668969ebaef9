#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options as glibc reads them. argv is a row of what was read, the operands that were passed over, [first, last), and
 * the rest, which begins at optind. */
char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* For optopt, which is set by every call. */
static int wrong;
static int begun;
static int first;
static int last;
/* What is left of a group of short options; null or empty between arguments. */
static char *rest;
static enum { moved, ended, told } operands;

static int is_operand(const char *argument) {
  return argument[0] != '-' || argument[1] == '\0';
}

/* The options that end at optind go before the operands, one after the other, each group in its order. */
static void move(char **arguments) {
  int options = optind - last;
  for (int i = 0; i < options; i++) {
    char *option = arguments[last + i];
    memmove(arguments + first + i + 1, arguments + first + i, (size_t)(last - first) * sizeof *arguments);
    arguments[first + i] = option;
  }
  first += options;
  last = optind;
}

static int without_value(const char *letters, int asked, const char *program, const char *dashes, const char *name) {
  if (asked) fprintf(stderr, "%s: option '%s%s' requires an argument\n", program, dashes, name);
  return letters[0] == ':' ? ':' : '?';
}

static int differ(const struct option *a, const struct option *b) {
  return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

/* The option that `rest` names, wholly or by its beginning; -1 where it may be a group of short ones. */
static int long_option(int count, char **arguments, const char *letters, const struct option *options, int *index,
    int only, int asked, const char *dashes) {
  const struct option *found = NULL;
  const char *program = arguments[0];
  size_t length = strcspn(rest, "=");
  int ambiguous = 0;
  for (const struct option *o = options; o->name != NULL; o++) {
    if (strncmp(o->name, rest, length) == 0 && strlen(o->name) == length) {
      found = o;
      break;
    }
  }
  if (found == NULL) {
    for (const struct option *o = options; o->name != NULL; o++) {
      if (strncmp(o->name, rest, length) != 0) continue;
      if (found == NULL) found = o;
      else if (only || differ(found, o)) ambiguous = 1;
    }
  }
  if (ambiguous) {
    if (asked) {
      fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, dashes, rest);
      for (const struct option *o = options; o->name != NULL; o++) {
        if (strncmp(o->name, rest, length) == 0 && (o == found || only || differ(found, o)))
          fprintf(stderr, " '%s%s'", dashes, o->name);
      }
      fprintf(stderr, "\n");
    }
    rest = NULL;
    optind++;
    wrong = 0;
    return '?';
  }
  if (found == NULL) {
    if (only && arguments[optind][1] != '-' && strchr(letters, *rest) != NULL) return -1;
    if (asked) fprintf(stderr, "%s: unrecognized option '%s%s'\n", program, dashes, rest);
    rest = NULL;
    optind++;
    wrong = 0;
    return '?';
  }
  {
    char *value = rest[length] == '=' ? rest + length + 1 : NULL;
    rest = NULL;
    optind++;
    if (value != NULL && found->has_arg == no_argument) {
      if (asked) fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", program, dashes, found->name);
      wrong = found->val;
      return '?';
    }
    if (value != NULL) optarg = value;
    else if (found->has_arg == required_argument) {
      if (optind >= count) {
        wrong = found->val;
        return without_value(letters, asked, program, dashes, found->name);
      }
      optarg = arguments[optind++];
    }
  }
  if (index != NULL) *index = (int)(found - options);
  if (found->flag == NULL) return found->val;
  *found->flag = found->val;
  return 0;
}

static int short_option(int count, char **arguments, const char *letters, const struct option *options, int *index,
    int asked) {
  const char *program = arguments[0];
  char c = *rest++;
  const char *letter = strchr(letters, c);
  if (*rest == '\0') optind++;
  if (letter == NULL || c == ':' || c == ';') {
    if (asked) fprintf(stderr, "%s: invalid option -- '%c'\n", program, c);
    wrong = c;
    return '?';
  }
  if (letter[1] == ';' && letter[0] == 'W' && options != NULL) {
    if (*rest == '\0' && optind == count) {
      if (asked) fprintf(stderr, "%s: option requires an argument -- '%c'\n", program, c);
      wrong = c;
      return letters[0] == ':' ? ':' : '?';
    }
    if (*rest == '\0') rest = arguments[optind];
    return long_option(count, arguments, letters, options, index, 0, asked, "-W ");
  }
  if (letter[1] != ':') return c;
  if (*rest != '\0') {
    optarg = rest;
    optind++;
  } else if (letter[2] != ':') {
    if (optind == count) {
      if (asked) fprintf(stderr, "%s: option requires an argument -- '%c'\n", program, c);
      wrong = c;
      c = letters[0] == ':' ? ':' : '?';
    } else optarg = arguments[optind++];
  }
  rest = NULL;
  return c;
}

static int next(int count, char **arguments, const char *letters, const struct option *options, int *index, int only) {
  int asked;
  optarg = NULL;
  if (optind == 0 || !begun) {
    if (optind == 0) optind = 1;
    first = last = optind;
    rest = NULL;
    operands = letters[0] == '-' ? told : letters[0] == '+' || getenv("POSIXLY_CORRECT") != NULL ? ended : moved;
    begun = 1;
  }
  if (letters[0] == '-' || letters[0] == '+') letters++;
  asked = opterr != 0 && letters[0] != ':';
  if (rest != NULL && *rest != '\0') return short_option(count, arguments, letters, options, index, asked);

  if (last > optind) last = optind;
  if (first > optind) first = optind;
  if (operands == moved) {
    if (first != last && last != optind) move(arguments);
    else if (last != optind) first = optind;
    while (optind < count && is_operand(arguments[optind])) optind++;
    last = optind;
  }
  if (optind != count && strcmp(arguments[optind], "--") == 0) {
    optind++;
    if (first != last && last != optind) move(arguments);
    else if (first == last) first = optind;
    last = optind = count;
  }
  if (optind == count) {
    if (first != last) optind = first;
    return -1;
  }
  if (is_operand(arguments[optind])) {
    if (operands == ended) return -1;
    optarg = arguments[optind++];
    return 1;
  }
  if (options != NULL) {
    char *argument = arguments[optind];
    if (argument[1] == '-') {
      rest = argument + 2;
      return long_option(count, arguments, letters, options, index, only, asked, "--");
    }
    if (only && (argument[2] != '\0' || strchr(letters, argument[1]) == NULL)) {
      int option;
      rest = argument + 1;
      option = long_option(count, arguments, letters, options, index, only, asked, "-");
      if (option != -1) return option;
    }
  }
  rest = arguments[optind] + 1;
  return short_option(count, arguments, letters, options, index, asked);
}

int __provest_options(int count, char **arguments, const char *letters, const struct option *options, int *index,
    int only) {
  int option = -1;
  if (count >= 1) option = next(count, arguments, letters, options, index, only);
  optopt = wrong;
  return option;
}
