/**
 * Formulas about every live object that the program allocates in a region (see `heapInvariants.ts`), taken apart for
 * printing: the region, the C type of its objects, and the condition on them.
 */
import type { CType } from '../../c/types';
import type { Quantified, SymbolTerm, Term } from '../../logic/term';
import { equal, exactly } from '../../program/congruence';
import type { ObjectProperty } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';

export interface ForAllObjects {
  /** Pointers to the objects that the bound symbols name; undefined where no variable of C tells the type. */
  readonly types: ReadonlyMap<SymbolTerm, CType | undefined>;
  /** One of these holds of each; none: there is no such object. */
  readonly said: readonly Term[];
}

/** Undefined for a formula of another shape. */
export function forAllObjects(term: Quantified, vocabulary: Vocabulary): ForAllObjects | undefined {
  if (term.kind !== 'forall') return undefined;
  const alternatives = isApplied(term.body, 'or') ? term.body.args : [term.body];
  const types = new Map<SymbolTerm, CType | undefined>();
  const membership = new Set<Term>();
  for (const bound of term.bound) {
    const region = alternatives.flatMap((one) => regionExcluded(one, bound, vocabulary) ?? [])[0];
    if (region === undefined) return undefined;
    types.set(bound, pointerInto(region, vocabulary));
    for (const one of alternatives)
      if (regionExcluded(one, bound, vocabulary) === region || excludesMissing(one, bound, vocabulary))
        membership.add(one);
  }
  const said = alternatives.filter((one) => !membership.has(one));
  return { types, said };
}

/** `made[bound] != region`. */
function regionExcluded(term: Term, bound: SymbolTerm, vocabulary: Vocabulary): bigint | undefined {
  if (!isApplied(term, 'not') || !isApplied(term.args[0]!, 'eq')) return undefined;
  const sides = term.args[0].args;
  const number = sides.find((side) => side.kind === 'bits');
  return number?.kind === 'bits' && sides.some((side) => isRead(side, 'allocation-site', bound, vocabulary))
    ? number.value
    : undefined;
}

/** The object is static, is none yet, or is gone. */
function excludesMissing(term: Term, bound: SymbolTerm, vocabulary: Vocabulary): boolean {
  const inner = isApplied(term, 'not') ? term.args[0]! : term;
  if (isRead(inner, 'live', bound, vocabulary)) return inner !== term;
  if (!isApplied(inner, 'unsigned-less') && !isApplied(inner, 'unsigned-less-equal')) return false;
  const [low, high] = inner !== term ? [inner.args[1], inner.args[0]] : inner.args;
  return (
    (low === bound && high?.kind === 'bits' && high.value <= BigInt(vocabulary.memoryModel.lastStatic) + 1n) ||
    (high === bound && low !== undefined && isMemory(low, 'allocation-counter', vocabulary))
  );
}

const isRead = (term: Term, role: 'allocation-site' | 'live', bound: SymbolTerm, vocabulary: Vocabulary): boolean =>
  isApplied(term, 'select') && term.args[1] === bound && isMemory(term.args[0]!, role, vocabulary);

export function isMemory(
  term: Term,
  role: ObjectProperty | 'reach' | 'count' | 'holder',
  vocabulary: Vocabulary,
): boolean {
  const meaning = term.kind === 'symbol' ? vocabulary.meaning(term) : undefined;
  return meaning?.kind === 'memory' && meaning.memory.role.kind === role;
}

export const isApplied = (term: Term, operator: string): term is Extract<Term, { kind: 'apply' }> =>
  term.kind === 'apply' && term.operator === operator;

/** The type of the first variable that leads to the beginning of such objects. */
export function pointerInto(region: bigint, { memoryModel }: Vocabulary): CType | undefined {
  const variables = [
    ...memoryModel.program.globals.map(({ variable }) => variable),
    ...memoryModel.program.functions.flatMap(({ variables: all }) => all),
  ];
  return variables.find((variable) => {
    if (variable.type.kind !== 'pointer' || variable.ctype?.kind !== 'pointer' || variable.ctype.to.kind !== 'record')
      return false;
    const target = memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable });
    return target !== undefined && equal(target.at, exactly(0)) && memoryModel.allocationSiteOf(target.node) === region;
  })?.ctype;
}
