/**
 * List programs proved by facts about reachability alone, which no execution suggested: Houdini begins with the usual
 * ones everywhere, and the checker has the last word. Their twins must stay open although no failing run is known.
 */
import { ReachabilityCandidates } from '../../../src/abstraction/candidates/reachabilityInvariants';
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
import { file } from '../task';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());
const query = { timeoutMs: 60_000 };

async function verdict(body: string): Promise<string> {
  const text = `
    #include <stdlib.h>
    extern int nondet(void);
    extern void reach_error(void);
    struct node { int value; struct node *next; };
    int main(void) {
      struct node *h = NULL, *t;
      while (nondet()) {
        t = malloc(sizeof *t);
        t->value = 0;
        t->next = h;
        h = t;
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

test('a list that is built and freed leaks nothing; with its first node lost, or freed out of turn, it is open', async () => {
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
