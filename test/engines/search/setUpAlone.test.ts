/** A module whose only function sets it up: clients have nothing else to call. */
import { verify } from '../../../src';
import { file, task } from '../task';

jest.setTimeout(100_000);

const verdictOf = async (n: number): Promise<string> => {
  const text = `
static int table[4], n = ${n};
void setup(void) {
  for (int i = 0; i < 4; i++) table[i] = i;
  table[n] = 0;
}`;
  return (await verify(task(file(text), { init: 'setup', budget: { milliseconds: 50_000 } }))).kind;
};

test('is proved', async () => expect(await verdictOf(3)).toBe('proved'));

test('or fails', async () => expect(await verdictOf(4)).toBe('bug'));
