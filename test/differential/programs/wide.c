/* Wide and UTF literals, and what <wchar.h> does with them. */
#include <stdio.h>
#include <wchar.h>

int main(void) {
  wchar_t text[16] = L"h\u00e9llo €";
  unsigned short sixteen[] = u"\U0001F600!";
  unsigned int thirtytwo[] = U"\U0001F600!";
  const char *utf8 = u8"é€";
  for (wchar_t *p = text; *p; p++) printf("%04X ", (unsigned)*p);
  printf("\n%d %d %x %x %x\n", (int)(sizeof sixteen / 2), (int)(sizeof thirtytwo / 4), sixteen[0], sixteen[1],
      thirtytwo[0]);
  for (const char *p = utf8; *p; p++) printf("%02X ", (unsigned char)*p);
  wcscat(text, L"!" L"?");
  printf("\n%d %d %d %d\n", (int)wcslen(text), wcscmp(text, L"h") > 0, wcscmp(L"a", L"b") < 0,
      wcsncmp(text, L"h\u00e9x", 2));
  printf("%d %d\n", (int)(wcschr(text, L'l') - text), wcschr(text, L'z') == 0);
  wchar_t copy[4];
  wmemset(copy, L'x', 4);
  wmemcpy(copy, text, 2);
  printf("%x %x %x %d\n", (unsigned)copy[1], (unsigned)copy[2], (unsigned)L'\x80000000' >> 31, (int)sizeof(L'a'));
  wchar_t open[3] = { L'a', L'b', L'c' };
  printf("[%ls] [%6ls] [%-4.2ls|] [%.3ls] [%lc%3lc]\n", L"wide", L"", L"cut", open, L'x', L'y');
  return 0;
}
