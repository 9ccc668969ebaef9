/** Arrays that end in an element of zeros, as `argv` and tables of options. */
import { curesOf } from '../../../src/engines/angelic/cures';
import { specificationText } from '../../../src/engines/angelic/specifications';
import type { Operation } from '../../../src/host/operation';
import { verify } from '../../../src/index';
import { pointerToFresh } from '../../../src/plainPointer';
import type { Plain } from '../../../src/verdict';
import { file, task } from '../task';
import { type Calls, withTrace } from './failingTrace';

jest.setTimeout(120_000);

const options = `struct option { const char *name; int value; };
int find(const struct option *options, int value) {
  for (int i = 0; options[i].name || options[i].value; i++) if (options[i].value == value) return i;
  return -1;
}
int second(const struct option *options) { return options[1].value; }`;
const count = 'int count(char **list) { int n = 0; while (list[n]) n++; return n; }';

const calling = (name: string, type: string, bytes: number, more: readonly string[] = []): readonly Operation[] => [
  { kind: 'allocate', type, bytes: '00'.repeat(bytes) },
  {
    kind: 'call',
    function: name,
    arguments: [{ allocation: 0, offset: 0 }, ...more.map((integer) => ({ integer }))],
    answers: [],
  },
];

const offered = (text: string, calls: Calls, runs: readonly (readonly Operation[])[]): Promise<readonly string[]> =>
  withTrace(
    text,
    calls,
    async (trace) => {
      const found: string[] = [];
      const failure = { ...trace, isKnown: () => false, vocabulary: 'default', taken: () => [] } as const;
      for await (const { specification } of curesOf(failure)) found.push(specificationText(specification));
      return found;
    },
    { runs },
  );

const open: Calls = ({ object }) => [['find', object('option', { name: null, value: 3 }), 5]];

test('a table of structures', async () => {
  const runs = [calling('find', 'struct option[2]', 32, ['5'])];
  expect(await offered(options, open, runs)).toContain('find: PROVEST_TERMINATED(options)');
  expect(await offered(options, open, [])).not.toContain('find: PROVEST_TERMINATED(options)');
});

test('a function that needs another element, whatever it holds', async () => {
  const calls: Calls = ({ object }) => [['second', object('option', { name: null, value: 3 })]];
  const runs = [calling('second', 'struct option[2]', 32)];
  expect(await offered(options, calls, runs)).not.toContain('second: PROVEST_TERMINATED(options)');
});

test('a list of texts', async () => {
  const to = { kind: 'pointer', to: { kind: 'integer', name: 'char', widthBits: 8, signed: true } } as const;
  const contents: Plain = [pointerToFresh([65, 0])];
  const calls: Calls = () => [['count', { kind: 'object', type: { kind: 'array', of: to, length: 1 }, contents }]];
  expect(await offered(count, calls, [calling('count', 'char *[2]', 16)])).toContain('count: PROVEST_TERMINATED(list)');
});

test.each([
  ['a loop to the end', 'while (pairs[n].key || pairs[n].value) n++;', 'excused'],
  ['a loop that begins behind the first', 'do n++; while (pairs[n].key || pairs[n].value);', 'an error'],
])('%s is %s', async (_, loop, expected) => {
  const text = `struct pair { int key, value; };
int count(const struct pair *pairs) { int n = 0; if (!pairs) return 0; ${loop} return n; }`;
  const runs = [calling('count', 'struct pair[2]', 16)];
  const verdict = await verify(task(file(text), { runs, budget: { milliseconds: 10_000 } }));
  expect(verdict.kind).toBe('bug');
  const specifications = verdict.angelic?.specifications.map((one) => one.text) ?? [];
  expect(specifications).toEqual(expected === 'excused' ? ['count: (pairs == NULL || PROVEST_TERMINATED(pairs))'] : []);
});
