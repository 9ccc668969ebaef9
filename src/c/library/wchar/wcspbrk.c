#include <wchar.h>
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accepted) {
  text += wcscspn(text, accepted);
  return *text == 0 ? NULL : (wchar_t *)text;
}
