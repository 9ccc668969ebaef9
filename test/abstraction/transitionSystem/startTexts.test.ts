/** A program is started with texts that end, and a null pointer behind them: what proofs know, and what they do not. */
import { verify } from '../../../src';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../../engines/task';
import { inLongForm } from '../../long';

async function ask(text: string): Promise<Verdict> {
  return verify(task(file(text), { mode: 'program', entries: ['main'], budget: { milliseconds: 200_000 } }));
}
const main = (body: string): string =>
  `#include <assert.h>\n#include <stddef.h>\nint main(int argc, char **argv) { ${body} }`;

test.each([
  ['a text has a first character', "return argc > 1 && argv[1][0] == '-';"],
  ['behind a character that is not 0 there is one', "return argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v';"],
  ['the pointer behind the last one is null', 'assert(argv[argc] == NULL); return 0;'],
  ['the number of texts is not negative', 'assert(argc >= 0); return 0;'],
  ['texts are no null pointers', 'if (argc > 2) assert(argv[2] != NULL); return 0;'],
])(
  '%s',
  async (_, body) => {
    const verdict = await ask(main(body));
    expect(verdict.kind).toBe('proved');
    expect(verdict.assumptions).toContainEqual(expect.stringContaining('as many texts as argc says'));
    expect(verdict.assumptions).not.toContainEqual(expect.stringContaining('pointer arguments are null'));
  },
  250_000,
);

test.each([
  ['a second character may be missing', "return argc > 1 && argv[1][1] == 'v';"],
  ['a third one, too', "return argc > 1 && argv[1][0] == '-' && argv[1][2] == 'v';"],
  ['the last pointer is null', 'return argv[argc][0];'],
  ['behind it there is none', 'return argv[argc + 1] == NULL;'],
  ['there may be no text at all', 'assert(argc > 0); return 0;'],
  ['texts may be written', "if (argc > 1) { argv[1][0] = 'x'; assert(argv[1][0] != 'x'); } return 0;"],
  ['what they say is open', "if (argc > 1 && argv[1][0] == 'q' && argv[1][1] == 'z') assert(0); return 0;"],
])(
  '%s',
  async (_, body) => {
    expect((await ask(main(body))).kind).toBe('bug');
  },
  250_000,
);

test('a text whose end was overwritten has none, and one that was cut has', async () => {
  const written = (value: number): string =>
    main(`if (argc < 2 || argv[1][0] == 0 || argv[1][1] != 0) return 0;
      argv[1][1] = ${value};
      return argv[1][1] != 0 ? argv[1][2] : 0;`);
  expect((await ask(written(1))).kind).toBe('bug');
  expect((await ask(written(0))).kind).toBe('proved');
}, 500_000);

inLongForm(
  'a library function that reads to the end of a text, and one step further',
  async () => {
    const length = (more: string): string =>
      `#include <string.h>\n${main(`return argc < 2 ? 0 : strlen(argv[1]${more}) > 3;`)}`;
    expect((await ask(length(''))).kind).toBe('proved');
    expect((await ask(length(' + 1'))).kind).toBe('bug');
  },
  500_000,
);
