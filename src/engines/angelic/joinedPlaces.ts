/**
 * Failures of comparisons and differences of pointers that lie in structures of clients, `w->at` and `w->end`: clients
 * keep both in one object. Offered are pairs that the failing call breaks; those come first that the failing expression
 * reads.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Scenario } from '../../evidence/scenarios/scenario';
import { expressionsOf, walk } from '../../program/traverse';
import type { FunctionDefinition } from '../../program/program';
import { recordBehind } from '../../semantics/pointers/initialisers';
import type { Fault } from '../../semantics/concrete/fault';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { Problem } from '../problem';
import { CallWatch, type StatedPrecondition } from './callWatch';
import { isObjectPointer, type Place, placesOfClients } from './clientPlaces';
import { precondition } from './specifications';

const limits = {
  /** Pairs that are evaluated. */
  pairs: 24,
} as const;

export function joinedPlaces(
  problem: Problem,
  scenario: Scenario,
  fault: Fault,
  system: () => TransitionSystem,
): readonly StatedPrecondition[] {
  if (fault.check !== 'pointer-comparison') return [];
  const { fn } = scenario.calls.at(-1)!;
  const parameters = new Set(fn.parameters.map(({ name }) => name));
  const read = membersRead(fault);
  const rank = ({ text }: Place): number => (read.has(/\w+$/.exec(text)?.[0] ?? '') ? 0 : 1);
  const places = placesOfClients(fn).filter(isObjectPointer);
  const offered = places
    .flatMap((left, i) => places.slice(i + 1).map((right) => ({ left, right })))
    .filter(({ left, right }) => isSameTarget(left, right))
    .filter(({ left, right }) => !(parameters.has(left.text) && parameters.has(right.text)))
    .sort((a, b) => rank(a.left) + rank(a.right) - rank(b.left) - rank(b.right))
    .slice(0, limits.pairs)
    .flatMap(({ left, right }) => {
      const text = `PROVEST_SAME_OBJECT(${left.text}, ${right.text})`;
      const one = precondition(problem.program, fn.name, text);
      return one?.kind === 'requires' ? [one] : [];
    });
  return [...new CallWatch(problem, system).findBroken(scenario, fn, offered)];
}

const isSameTarget = ({ type: a }: Place, { type: b }: Place): boolean =>
  a.kind === 'pointer' &&
  b.kind === 'pointer' &&
  printType(withoutQualifiers(a.to)) === printType(withoutQualifiers(b.to));

/** Names of members that the failing expression reads through a parameter, also in a macro. */
function membersRead({ span, stack }: Fault): ReadonlySet<string> {
  const names = new Set<string>();
  const fn: FunctionDefinition | undefined = stack[0]?.function;
  for (const edge of fn?.edges ?? []) {
    if (edge.span.file !== span.file || edge.span.start < span.start || edge.span.end > span.end) continue;
    for (const expression of expressionsOf(edge.command))
      walk(expression, (part) => {
        if (part.kind !== 'load' || part.address.kind !== 'offset' || part.address.delta.kind !== 'integer') return;
        const { pointer, delta } = part.address;
        const record = pointer.kind === 'read' ? recordBehind(pointer.variable) : undefined;
        const field = record?.complete
          ? record.fields.find(({ offsetBytes }) => offsetBytes === Number(delta.value))
          : undefined;
        if (field?.name !== undefined) names.add(field.name);
      });
  }
  return names;
}
