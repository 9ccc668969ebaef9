/** Texts that `%s` and `puts` print: that they end, and that the output fits, is proved, or found to be wrong. */
import { verify } from '../../../src';
import { file, task } from '../task';

jest.setTimeout(200_000);

const kindOf = async (text: string): Promise<string> =>
  (await verify(task(file(`#include <stdio.h>\n#include <string.h>\n#include <provest.h>\n${text}`)))).kind;

const names = 'static const char *const names[] = { "red", "green", "amber" };';
const shown = (end: string): string => `static char shown[8];
void keep(char c) { shown[0] = c; ${end} }
void show(void) { printf("%s, %d\\n", shown, 3); }`;

test.each<[string, string, string]>([
  ['one of a table', `${names} void show(unsigned k) { if (k < 3) printf("%s\\n", names[k]); }`, 'proved'],
  ['behind the table', `${names} void show(unsigned k) { if (k < 4) puts(names[k]); }`, 'bug'],
  [
    'one that a function returns',
    'static const char *name(int k) { return k ? "on" : "off"; } void show(int k) { puts(name(k)); }',
    'proved',
  ],
  ["a client's", 'void greet(const char *who) { if (who) printf("Hello, %-9s!\\n", who); }', 'bug'],
  [
    "a client's that ends",
    'void greet(const char *who) { PROVEST_REQUIRES(who != NULL && PROVEST_TERMINATED(who)); printf("%s!\\n", who); }',
    'proved',
  ],
  ['kept with its end', shown('shown[1] = 0;'), 'proved'],
  ['kept, and then full', shown('if (c == 7) memset(shown, c, 8);'), 'bug'],
])('of %s', async (_, text, kind) => expect(await kindOf(text)).toBe(kind));

const into = (size: number, print: string): string => `static char line[${size}];
void format(const char *key, int n) {
  PROVEST_REQUIRES(key != NULL && PROVEST_TERMINATED(key));
  ${print}
}`;

test.each<[string, string, string]>([
  ['as much as there is room for', into(16, 'snprintf(line, sizeof line, "%s=%d", key, n);'), 'proved'],
  ['as much as there is said to be', into(16, 'snprintf(line, 17, "%s=%d", key, n);'), 'bug'],
  ['whatever its length', into(16, 'sprintf(line, "%s", key);'), 'bug'],
  ['that was measured', into(16, 'if (strlen(key) < 16) sprintf(line, "%s", key);'), 'proved'],
  ['that was measured wrongly', into(16, 'if (strlen(key) <= 16) sprintf(line, "%s", key);'), 'bug'],
  ['onto itself', into(16, 'line[15] = 0; snprintf(line, sizeof line, "%s", line);'), 'bug'],
])('a text is printed into an array, %s', async (_, text, kind) => expect(await kindOf(text)).toBe(kind));

test('a precision needs no end, and is not proved', async () => {
  expect(await kindOf(into(64, 'sprintf(line, "%.40s", key);'))).toBe('unknown');
});
