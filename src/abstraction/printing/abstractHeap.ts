/**
 * An invariant about lists as a picture: a box per variable that leads into a list, a box for the nodes between or
 * behind, of which there may be none. It shows which variable reaches which, not all that the invariant says.
 */
import type { HeapBox, HeapMember, HeapPicture } from '../../explanation';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import { halvesOf } from '../../logic/links/chains';
import type { Term } from '../../logic/term';
import type { LinkVariables } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { targetIn } from './heapWords';
import { pathAt } from './memberPaths';
import { isApplied, pointerInto } from './quantifiedObjects';

const limits = {
  /** Variables beyond which a picture says little. */
  names: 6,
} as const;

interface Variable {
  readonly name: string;
  isNeverNull: boolean;
  isLast: boolean;
  /** Reached by one step. */
  next: Term | undefined;
  readonly reached: Set<Term>;
}

/** Undefined if the invariants do not exclude rings, or no variable is said to lead into a list. */
export function abstractHeap(invariants: readonly Term[], vocabulary: Vocabulary): HeapPicture | undefined {
  const link = invariants.flatMap((term) => linkWithoutRing(term, vocabulary) ?? [])[0];
  if (!link) return undefined;
  const { memoryModel } = vocabulary;
  const region = memoryModel.allocationSiteOf(link.node);
  const type = pointerInto(region, vocabulary);
  if (type?.kind !== 'pointer') return undefined;
  const clauses = invariants.map(disjunctsOf);
  const variables = new Map<Term, Variable>();
  for (const clause of clauses)
    for (const one of clause) {
      const target = isApplied(one, 'and') ? targetIn(one.args, vocabulary) : undefined;
      const name = target && nameOf(target.object, vocabulary);
      if (
        target?.region !== region ||
        name === undefined ||
        !clause.every((other) => other === one || isNull(other, target.object))
      )
        continue;
      variables.set(target.object, {
        name,
        isNeverNull: clause.length === 1,
        isLast: false,
        next: undefined,
        reached: new Set(),
      });
    }
  if (variables.size === 0 || variables.size > limits.names) return undefined;
  for (const clause of clauses) note(clause, variables, link, vocabulary);
  return draw(
    variables,
    printType(withoutQualifiers(type.to)),
    pathAt('', type.to, link.slot.offset, vocabulary).replace(/^\./, ''),
  );
}

/** A clause's statement about the variables, where they are not null. */
function note(
  clause: readonly Term[],
  variables: ReadonlyMap<Term, Variable>,
  link: LinkVariables,
  vocabulary: Vocabulary,
): void {
  const [reach, targets] = [vocabulary.symbolOf(link.reach), vocabulary.symbolOf(link.objects)];
  const said = clause.filter((one) => ![...variables.keys()].some((object) => isNull(one, object)));
  const nulls = [...variables.keys()].filter((object) => clause.some((one) => isNull(one, object)));
  const [one, ...more] = said;
  if (!one || more.length > 0) return;
  if (isApplied(one, 'not') && clause.length === 1)
    for (const [object, variable] of variables) if (isNull(one.args[0]!, object)) variable.isNeverNull = true;
  for (const part of isApplied(one, 'and') ? one.args : [one]) {
    if (isApplied(part, 'select') && part.args[0] === reach) {
      const [from, to] = halvesOf(part.args[1]!) as readonly [Term, Term];
      if (variables.has(to) && nulls.every((object) => object === from || object === to))
        variables.get(from)?.reached.add(to);
    }
    if (!isApplied(part, 'eq')) continue;
    const [left, right] = part.args as readonly [Term, Term];
    const sides: readonly (readonly [Term, Term])[] = [
      [left, right],
      [right, left],
    ];
    for (const [read, value] of sides) {
      const object = isApplied(read, 'select') && read.args[0] === targets ? read.args[1]! : undefined;
      const variable = object && variables.get(object);
      if (!variable || !nulls.every((other) => other === object)) continue;
      if (value.kind === 'bits' && value.value === 0n) variable.isLast = true;
      else if (variables.has(value)) variable.next = value;
    }
  }
}

function draw(variables: ReadonlyMap<Term, Variable>, type: string, link: string): HeapPicture {
  const objects = [...variables.keys()];
  const boxes: HeapBox[] = objects.map((object) => {
    const { name, isNeverNull } = variables.get(object)!;
    return { title: isNeverNull ? name : `${name}, if not NULL`, type, state: 'live', members: [] };
  });
  const between = (end: HeapMember): number =>
    boxes.push({ title: '0 or more', type, state: 'several', members: [{ ...end, name: `${link} of the last` }] }) - 1;
  const members = objects.map((object): HeapMember => {
    const { isLast, next, reached } = variables.get(object)!;
    if (isLast) return { name: link, value: 'NULL' };
    if (next !== undefined) return { name: link, to: objects.indexOf(next) };
    // The nearest: no other one that is reached lies before it.
    const nearest = [...reached].find((to) => ![...reached].some((other) => variables.get(other)!.reached.has(to)));
    const end: HeapMember =
      nearest === undefined ? { name: link, value: 'NULL' } : { name: link, to: objects.indexOf(nearest) };
    return { name: link, to: between(end) };
  });
  return {
    names: [],
    boxes: boxes.map((box, i) => (i < members.length ? { ...box, members: [members[i]!] } : box)),
    omitted: 0,
  };
}

const disjunctsOf = (term: Term): readonly Term[] => (isApplied(term, 'or') ? term.args : [term]);

/** The object is 0, or the pointer is. */
function isNull(term: Term, object: Term): boolean {
  if (term.kind !== 'apply') return false;
  if (term.operator === 'and') return term.args.some((one) => isNull(one, object));
  return (
    term.operator === 'eq' &&
    term.args.includes(object) &&
    term.args.some((side) => side.kind === 'bits' && side.value === 0n)
  );
}

function nameOf(object: Term, vocabulary: Vocabulary): string | undefined {
  const meaning = object.kind === 'symbol' ? vocabulary.meaning(object) : undefined;
  return meaning?.kind === 'variable' && meaning.part === 'object' ? meaning.variable.name : undefined;
}

/** The link, if the term says that no write has closed a ring along it. */
function linkWithoutRing(term: Term, vocabulary: Vocabulary): LinkVariables | undefined {
  const meaning = term.kind === 'symbol' ? vocabulary.meaning(term) : undefined;
  if (meaning?.kind !== 'memory' || meaning.memory.role.kind !== 'acyclic') return undefined;
  return vocabulary.memoryModel.links.find(({ acyclic }) => acyclic === meaning.memory);
}
