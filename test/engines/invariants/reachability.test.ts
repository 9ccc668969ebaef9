/**
 * List programs proved by facts about reachability alone, which no execution suggested: Houdini begins with the usual
 * ones everywhere, and the checker has the last word. Their twins must stay open although no failing run is known.
 */
import { ReachabilityCandidates } from '../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { relevanceOf } from '../../../src/abstraction/candidates/observables';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { houdini } from '../../../src/engines/invariants/houdini';
import { certify } from '../../../src/evidence/certificates/certify';
import { loadProgram } from '../../../src/program';
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { inLongForm } from '../../long';
import { file } from '../task';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());
const query = { timeoutMs: 60_000 };

const single = { members: 'int value; struct node *next;', add: 't->value = 0; t->next = h; h = t;' };
const double = {
  members: 'struct node *prev, *next;',
  add: 't->prev = NULL; t->next = h; if (h != NULL) h->prev = t; h = t;',
};

async function verdict(body: string, { members, add } = single): Promise<string> {
  const text = `
    #include <stdlib.h>
    extern int nondet(void);
    extern void reach_error(void);
    struct node { ${members} };
    int main(void) {
      struct node *h = NULL, *t;
      while (nondet()) {
        t = malloc(sizeof *t);
        ${add}
      }
      ${body}
      return 0;
    }`;
  const program = loadProgram([file(text)], { externals: 'any', leaksAfter: 'main' });
  const options: SystemOptions = {
    ...plainOptions,
    mode: 'program',
    entries: [program.functionByName.get('main')!],
    checkedProperties: new Set(['reach', 'memsafety', 'leak']),
  };
  const system = new TransitionSystem(program, options);
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const candidates = new Map(system.points.map((point) => [point, facts.candidates(point)]));
  const invariants = await houdini(system, noInvariants, candidates, solver, { query, stop: () => false });
  const certificate = new Map(
    system.points.map(({ key }) => [
      key,
      { invariants: invariants!.get(key) ?? [], predicates: [], states: [['', ['']]] as const },
    ]),
  );
  return (await certify(program, options, certificate, solver, () => query)).kind;
}

const drop = 'while (h != NULL) { t = h->next; free(h); h = t; }';

test('a list that is built and freed leaks nothing; with its first node lost or freed early it is open', async () => {
  expect(await verdict(drop)).toBe('certified');
  expect(await verdict(`if (h != NULL) h = h->next; ${drop}`)).not.toBe('certified');
  expect(await verdict('while (h != NULL) { free(h); h = h->next; }')).not.toBe('certified');
}, 240_000);

test('a reversed list has all nodes; one that drops nodes on the way is open', async () => {
  const reverse = (step: string): string =>
    `struct node *r = NULL; while (h != NULL) { t = h->next; ${step} r = h; h = t; } h = r; ${drop}`;
  expect(await verdict(reverse('h->next = r;'))).toBe('certified');
  expect(await verdict(reverse('h->next = NULL;'))).not.toBe('certified');
}, 240_000);

test('nothing is proved from laws that a ring breaks', async () => {
  const ring = 'if (h == NULL) return 0; h->next = h;';
  expect(await verdict(`${ring} if (h->next == h) reach_error(); h->next = NULL; ${drop}`)).not.toBe('certified');
  expect(
    await verdict(`if (h == NULL) return 0; t = h; while (t->next != NULL) t = t->next; t->next = h;
    if (t->next == h) reach_error();`),
  ).not.toBe('certified');
}, 240_000);

const checkedDrop = `while (h != NULL) {
  t = h->next;
  if (t != NULL && t->prev != h) reach_error();
  free(h);
  h = t;
}`;

test('a doubly linked list has links back', async () => {
  expect(await verdict(checkedDrop, double)).toBe('certified');
}, 240_000);

inLongForm(
  'any node is cut out of a doubly linked list; with one link not mended, what follows is open',
  async () => {
    const cutOut = (mend: string): string => `
    t = h;
    while (t != NULL && nondet()) t = t->next;
    if (t != NULL) {
      if (t->next != NULL && t->next->prev != t) reach_error();
      if (t->prev != NULL) t->prev->next = t->next; else h = t->next;
      ${mend}
      free(t);
    }
    ${checkedDrop}`;
    expect(await verdict(cutOut('if (t->next != NULL) t->next->prev = t->prev;'), double)).toBe('certified');
    expect(await verdict(cutOut(''), double)).not.toBe('certified');
  },
  240_000,
);
