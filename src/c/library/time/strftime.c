#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const dayNames[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const monthNames[] = { "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December" };

static const char *name_of(const char *const *names, int count, int index) {
  return 0 <= index && index < count ? names[index] : "?";
}

static int is_leap(long long year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The week that begins on Monday and has Thursday in the year decides (ISO 8601). */
static int iso_week(const struct tm *time, long long *year) {
  int day = (time->tm_wday + 6) % 7;
  int week = (time->tm_yday - day + 10) / 7;
  *year = 1900LL + time->tm_year;
  if (week == 0) {
    --*year;
    return (time->tm_yday + 365 + is_leap(*year) - day + 10) / 7;
  }
  if (week == 53 && time->tm_yday - day + 3 >= 365 + is_leap(*year)) {
    ++*year;
    return 1;
  }
  return week;
}

/* Into `part`; 0 for a conversion that stands for several others, whose format is left in `*again`. */
static int convert(char *part, size_t size, char conversion, const struct tm *time, const char **again) {
  long long year = 1900LL + time->tm_year;
  int hour12 = time->tm_hour % 12 == 0 ? 12 : time->tm_hour % 12;
  switch (conversion) {
    case 'a': snprintf(part, size, "%.3s", name_of(dayNames, 7, time->tm_wday)); return 1;
    case 'A': snprintf(part, size, "%s", name_of(dayNames, 7, time->tm_wday)); return 1;
    case 'b': case 'h': snprintf(part, size, "%.3s", name_of(monthNames, 12, time->tm_mon)); return 1;
    case 'B': snprintf(part, size, "%s", name_of(monthNames, 12, time->tm_mon)); return 1;
    case 'C': snprintf(part, size, "%02lld", year / 100); return 1;
    case 'd': snprintf(part, size, "%02d", time->tm_mday); return 1;
    case 'e': snprintf(part, size, "%2d", time->tm_mday); return 1;
    case 'G': iso_week(time, &year); snprintf(part, size, "%lld", year); return 1;
    case 'g': iso_week(time, &year); snprintf(part, size, "%02lld", year % 100); return 1;
    case 'H': snprintf(part, size, "%02d", time->tm_hour); return 1;
    case 'I': snprintf(part, size, "%02d", hour12); return 1;
    case 'j': snprintf(part, size, "%03d", time->tm_yday + 1); return 1;
    case 'k': snprintf(part, size, "%2d", time->tm_hour); return 1;
    case 'l': snprintf(part, size, "%2d", hour12); return 1;
    case 'm': snprintf(part, size, "%02d", time->tm_mon + 1); return 1;
    case 'M': snprintf(part, size, "%02d", time->tm_min); return 1;
    case 'n': snprintf(part, size, "\n"); return 1;
    case 'p': snprintf(part, size, "%s", time->tm_hour >= 12 ? "PM" : "AM"); return 1;
    case 'P': snprintf(part, size, "%s", time->tm_hour >= 12 ? "pm" : "am"); return 1;
    case 's': { struct tm copy = *time; snprintf(part, size, "%lld", (long long)timegm(&copy)); return 1; }
    case 'S': snprintf(part, size, "%02d", time->tm_sec); return 1;
    case 't': snprintf(part, size, "\t"); return 1;
    case 'u': snprintf(part, size, "%d", time->tm_wday == 0 ? 7 : time->tm_wday); return 1;
    case 'U': snprintf(part, size, "%02d", (time->tm_yday + 7 - time->tm_wday) / 7); return 1;
    case 'V': snprintf(part, size, "%02d", iso_week(time, &year)); return 1;
    case 'w': snprintf(part, size, "%d", time->tm_wday); return 1;
    case 'W': snprintf(part, size, "%02d", (time->tm_yday + 7 - (time->tm_wday + 6) % 7) / 7); return 1;
    case 'y': snprintf(part, size, "%02lld", year % 100); return 1;
    case 'Y': snprintf(part, size, "%lld", year); return 1;
    case 'z': snprintf(part, size, "+0000"); return 1;
    case 'Z': snprintf(part, size, "%s", time->tm_zone != NULL ? time->tm_zone : ""); return 1;
    case 'c': *again = "%a %b %e %H:%M:%S %Y"; return 0;
    case 'D': case 'x': *again = "%m/%d/%y"; return 0;
    case 'F': *again = "%Y-%m-%d"; return 0;
    case 'r': *again = "%I:%M:%S %p"; return 0;
    case 'R': *again = "%H:%M"; return 0;
    case 'T': case 'X': *again = "%H:%M:%S"; return 0;
    default: snprintf(part, size, "%c", conversion); return 1;
  }
}

/* C11 7.27.3.5, for the "C" locale and UTC. */
size_t strftime(char *restrict target, size_t size, const char *restrict format, const struct tm *restrict time) {
  size_t length = 0;
  for (; *format != 0; format++) {
    char part[64];
    const char *again = NULL;
    size_t added;
    if (*format != '%') {
      part[0] = *format;
      part[1] = 0;
    } else {
      format++;
      if (*format == 'E' || *format == 'O') format++;
      if (*format == 0) break;
      if (!convert(part, sizeof part, *format, time, &again)) strftime(part, sizeof part, again, time);
    }
    added = strlen(part);
    if (length + added >= size) return 0;
    memcpy(target + length, part, added);
    length += added;
  }
  if (size == 0) return 0;
  target[length] = 0;
  return length;
}
