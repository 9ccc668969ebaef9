/** Inputs that nothing depends on are part of a run like any other. */
import { verify } from '../../../src/index';
import { file, task } from '../task';

jest.setTimeout(60_000);

const program = (after: string): string => `
  extern int __VERIFIER_nondet_int(void);
  extern void reach_error(void);
  int main(void) {
    int n = __VERIFIER_nondet_int();
    n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    ${after}
    return 0;
  }`;
const answer = async (after: string): Promise<string> =>
  (
    await verify(
      task(file(program(after)), {
        mode: 'program',
        entries: ['main'],
        properties: ['reach'],
        engine: 'synergy',
        load: { externals: 'any' },
      }),
    )
  ).kind;

test('an input that is overwritten at once', async () => {
  expect(await answer('if (n == 77) reach_error();')).toBe('bug');
  expect(await answer('if (n == -77) reach_error();')).toBe('proved');
});
