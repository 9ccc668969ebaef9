/** Pointers in structures that clients pass. */
import { verify } from '../../../../src';
import { Budget } from '../../../../src/budget';
import type { CType } from '../../../../src/c/types';
import { Problem } from '../../../../src/engines/problem';
import { linkMembers } from '../../../../src/engines/search/arguments/linkedMembers';
import { faultOf, runScenario, type Argument } from '../../../../src/evidence/scenarios/scenario';
import { pointerToFresh } from '../../../../src/plainPointer';
import { Random } from '../../../../src/semantics/concrete/random';
import type { Plain } from '../../../../src/verdict';
import { file, task } from '../../task';

const text = `
#include <assert.h>
struct part { int n; };
struct owner { struct part *own, *other; union { struct part *in_union; int n; } u; };
struct all { struct owner *owner; };
void use(const struct all *all, const struct part *part) {
  assert(!all->owner || !all->owner->own || all->owner->other != part);
}`;

type Object = Extract<Argument, { kind: 'object' }>;
const objectOf = (type: CType, contents: Plain): Object => ({ kind: 'object', type, contents });

test('members lead to objects of their own or to what is passed beside them, and every call can be made', async () => {
  const asked = task(file(text));
  const problem = Problem.examine(asked, Budget.start(asked.budget), {});
  try {
    const { program } = problem;
    const fn = program.functionByName.get('use')!;
    const typeAt = (at: number): CType => {
      const { ctype } = fn.parameters[at]!;
      if (ctype?.kind !== 'pointer') throw new Error('no pointer');
      return { ...ctype.to, const: false };
    };
    const random = new Random(7);
    const owner = { own: null, other: null, u: { in_union: null } };
    const made = (to: CType): Argument =>
      objectOf(to, to.kind === 'record' && to.record.tag === 'owner' ? owner : { n: 1 });
    const seen = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const given = [objectOf(typeAt(0), { owner: null }), objectOf(typeAt(1), { n: 2 })];
      linkMembers(given, fn, made, (bound) => random.below(bound));
      const run = runScenario(program, { calls: [{ fn, arguments: given }], answers: [] }, problem.scenarioOptions());
      const contents = JSON.stringify(given[0]!.contents);
      expect(contents).not.toMatch(/"in_union":[^n]/);
      seen.add(faultOf(run)?.check ?? contents);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['assertion', JSON.stringify({ owner: pointerToFresh(owner) })]));
  } finally {
    await problem.solvers.close();
  }
});

test('a search reaches what compares a pointer behind two others with an argument', async () => {
  const verdict = await verify(task(file(text), { properties: ['reach'] }));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'assertion' } } });
});
