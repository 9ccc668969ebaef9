/** Counters of a byte or two that wrap around: they agree with the low bits of wider ones. */
import { verify } from '../../../src/index';
import { file, task } from '../../engines/task';

jest.setTimeout(120_000);

const kindOf = async (body: string): Promise<string> => {
  const text = `extern void reach_error(void); int main(void) { unsigned i; ${body} return 0; }`;
  const asked = task(file(text), {
    mode: 'program',
    entries: ['main'],
    properties: ['reach'],
    load: { externals: 'any' },
  });
  return (await verify(asked)).kind;
};
const bytes = (rounds: number): string =>
  `unsigned char b = 0; for (i = 0; i < ${rounds}u; i++) b++; if (b != 0) reach_error();`;
const shorts = (step: number): string =>
  `unsigned short b = 5; for (i = 0; i < 655360000u; i++) b += ${step}; if (b != 5) reach_error();`;
const signs = (end: number): string =>
  `signed char b = 0; for (i = 0; i < 1024000000u; i++) b -= 3; if (b != ${end}) reach_error();`;

test.each([
  ['a byte that each round counts', bytes(1_000_000_000 - (1_000_000_000 % 256))],
  ['two bytes with steps', shorts(7)],
  ['a signed byte that counts down', signs(0)],
])('%s: proved', async (_, body) => {
  expect(await kindOf(body)).toBe('proved');
});

test.each([
  ['one round more', bytes(1_000_000_000 - (1_000_000_000 % 256) + 1)],
  ['another end', signs(1)],
])('%s: a bug', async (_, body) => {
  expect(await kindOf(body)).toBe('bug');
});
