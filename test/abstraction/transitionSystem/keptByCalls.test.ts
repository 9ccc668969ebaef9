/** Axioms behind the return of a call: which objects hold what they held before it. */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import * as L from '../../../src/logic/build';
import { symbolsOf } from '../../../src/logic/symbols';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { asPointer } from '../../../src/semantics/symbolic/symbolicValues';
import { file } from '../../engines/task';

/**
 * `p`, `q` or both: objects of the callee's arguments in which a cell is said to be what it was, whatever is reached.
 * `f` calls the function `callee(p, q, n)` of the text.
 */
function kept(text: string): string {
  const program = loadProgram(
    [
      file(`struct cell { int v; struct cell *next; };
${text}
int f(struct cell *p, struct cell *q, unsigned n) { callee(p, q, n); return p->v + q->v; }`),
    ],
    { externals: 'any', inlines: { allBut: new Set(), of: 'module' } },
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(),
  });
  const { summary } = system.transitions.find(({ kind, from }) => kind === 'return' && from?.fn.name === 'f')!;
  const { entryState, exitState } = summary!;
  const isKept = (object: Term): boolean =>
    system.memoryModel.variables.some(({ index, role }) => {
      if (role.kind !== 'slot' || role.part !== 'value' || role.addressing !== 'by-object') return false;
      const [before, after] = [entryState, exitState].map(({ memory }) => memory.contents[index]!);
      if (before === after) return true;
      const axioms = system.vocabulary.readAxioms([L.select(after!, object)], new Set());
      return axioms.some((axiom) => {
        const symbols = [...symbolsOf(axiom)];
        const isOfReached = symbols.some(({ name }) => name.includes('reached from'));
        return [before, after].every((array) => symbols.includes(array as never)) && !isOfReached;
      });
    });
  const names = ['p', 'q'].filter((_, i) => isKept(asPointer(entryState.locals[i]!).object));
  return names.join(' ');
}

const callee = (statement: string): string =>
  `static void callee(struct cell *p, struct cell *q, unsigned n) { while (n-- > 0) { ${statement} } }`;

test.each([
  ['the first argument alone', callee('p->v = 1;'), 'q'],
  ['both', callee('p->v = 1; q->v = 2;'), ''],
  ['either', callee('struct cell *r = n & 1 ? p : q; r->v = 1;'), ''],
  ['the one that the first leads to', callee('p->next->v = 1;'), ''],
  ['the first one, by a name that was another', callee('struct cell *r = p; q = r; q->v = 1;'), ''],
  [
    'the second one by a call',
    `static void inner(struct cell *a, unsigned n) { while (n-- > 0) a->v = 1; } ${callee('inner(q, n);')}`,
    'p',
  ],
  ['one that was kept', `static struct cell *old; ${callee('old->v = 1; old = p;')}`, ''],
  ['any, by an unknown function', `void other(struct cell *); ${callee('other(p);')}`, ''],
])('a call that writes %s', (_, text, expected) => {
  expect(kept(text)).toBe(expected);
});
