/** Preconditions about the memory behind pointers in structures that clients fill in. */
import { verify } from '../../../src';
import { loadProgram } from '../../../src/program';
import { precondition } from '../../../src/engines/angelic/specifications';
import { inLongForm } from '../../long';
import { file, task } from '../task';

jest.setTimeout(300_000);

async function kindUnder(body: string, text: string): Promise<string> {
  const path = file(`struct span { const int *data; int count; };\nint get(const struct span *s) { ${body} }`);
  const one = precondition(loadProgram([path], {}), 'get', text);
  if (one?.kind !== 'requires') throw new Error(`${text} cannot be read`);
  const requires = [{ function: 'get', formula: one.formula, said: { c: text } }];
  const budget = { milliseconds: 5_000 };
  return (await verify(task(path, { requires, properties: ['memsafety'], budget }))).kind;
}

const stated = 's != NULL && PROVEST_LENGTH(s->data) >= s->count';

test('elements behind a pointer in memory can be used', async () => {
  expect(await kindUnder('return s->count > 1 ? s->data[1] : 0;', stated)).toBe('proved');
});

inLongForm('the element behind them cannot', async () => {
  expect(await kindUnder('return s->count > 0 ? s->data[1] : 0;', stated)).not.toBe('proved');
});
