/** A failure that hangs on characters that do not end in 0: the contract that rules it out is said with it, and pasted, it helps. */
import { verify, type Verdict } from '../../src';
import { file, task } from './task';

const ask = (text: string): Promise<Verdict> => verify(task(file(text), { budget: { milliseconds: 60_000 } }));
const offered = (verdict: Verdict): readonly string[] => (verdict.kind === 'bug' ? (verdict.suggestion?.split('\n') ?? []).filter((line) => line.includes('PROVEST_TERMINATED')) : [`${verdict.kind}, not a bug`]);

test('a text, or null where the function expects it', async () => {
  const length = (promise: string): string => `#include <stddef.h>\n#include <provest.h>\nunsigned length(const char *s) { ${promise} if (!s) return 0; unsigned n = 0; while (*s++) n++; return n; }`;
  const promise = 'PROVEST_REQUIRES(s == NULL || PROVEST_TERMINATED(s));';
  expect(offered(await ask(length('')))).toEqual([`length: ${promise}`]);
  expect((await ask(length(promise))).kind).toBe('proved');
});

test('not null where it fails', async () => {
  const length = (promise: string): string => `#include <provest.h>\nunsigned length(const char *s) { ${promise} unsigned n = 0; while (s[n]) n++; return n; }`;
  expect(offered(await ask(length('PROVEST_REQUIRES(s != 0);')))).toEqual(['length: PROVEST_REQUIRES(PROVEST_TERMINATED(s));']);
});

test('what fails with a text, too, or takes bytes, needs something else', async () => {
  expect(offered(await ask('int third(const char *s) { return s ? s[2] : 0; }'))).toEqual([]);
  expect(offered(await ask('int bytes(const unsigned char *s) { int n = 0; if (s) while (*s++) n++; return n; }'))).toEqual([]);
});

test('where a text will do, clients do not have to keep to a length', async () => {
  const verdict = await ask('static char word[16];\nvoid read(const char *line) { unsigned n = 0; while (n < sizeof word && *line) word[n++] = *line++; }');
  expect(verdict.kind === 'bug' && verdict.suggestion).toContain("requires: { read: 'line != NULL' }");
});
