/** Pools whose links are places in an array: what a number that is taken over from an element asks of all elements. */
import { staticConditions } from '../../../../src/abstraction/candidates/statics/staticConditions';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { programOf } from '../../../program/programOf';

jest.setTimeout(120_000);

const pool = (next: string): string => `
struct node { int next; int value; };
static struct node nodes[8];
static int unused = -1, used = -1;
void init(void) {
  for (int i = 0; i < 8; i++) nodes[i].next = ${next};
  unused = 0;
  used = -1;
}
int add(int value) {
  int i = unused;
  if (i < 0) return 0;
  unused = nodes[i].next;
  nodes[i].value = value;
  nodes[i].next = used;
  used = i;
  return 1;
}
int take(void) {
  int i = used;
  if (i < 0) return -1;
  used = nodes[i].next;
  nodes[i].next = unused;
  unused = i;
  return nodes[i].value;
}
`;
const inOrder = 'i + 1 < 8 ? i + 1 : -1';

test('the bounds of what heads a list are asked of all links', () => {
  const program = programOf(pool(inOrder));
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: ['init', 'add', 'take'].map((name) => program.functionByName.get(name)!),
    checkedProperties: new Set(['memsafety']),
  });
  const found = staticConditions(system).get(system.client!)!;
  expect(found.map((term) => printTerm(term, system.vocabulary))).toContain(
    'forall(_k: _k <= -1 || _k >= 8 || nodes[_k].next <= 7)',
  );
});

test('a pool whose last link leads behind it, and its repair', async () => {
  const kindOf = async (next: string): Promise<string> =>
    (await verify(task(file(pool(next)), { budget: { milliseconds: 100_000 } }))).kind;
  expect(await kindOf(inOrder)).toBe('proved');
  expect(await kindOf('i + 1')).toBe('bug');
});
