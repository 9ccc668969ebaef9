#include <locale.h>
#include <provest/files.h>
#include <provest/world.h>
/* There is one locale in a run. In a proof there may be others, with any name; what depends on them is as in the "C"
 * locale. */
char *setlocale(int category, const char *name) {
  static char current[4096] = "C";
  (void)category;
  if (name == NULL) return current;
  __provest_check_text(name);
  if (!__provest_usually(name[0] == 0 || (name[0] == 'C' && name[1] == 0))) return NULL;
  __provest_any_bytes(current, sizeof current - 1);
  return current;
}
