/** Parts of a probe on the way to a formula: each is one JavaScript expression, with JavaScript's type of its value. */
import type { Node } from '@babel/types';
import type { ProbeFormula, ProbePath } from '../../src/abstraction/predicates/probeFormula';
import type { CType } from '../../src/c/types';

/** Why a function is no probe, at a node of it. */
export class UntranslatableProbe extends Error {
  constructor(
    message: string,
    readonly node: Node | undefined,
  ) {
    super(message);
    this.name = 'ProbeError';
  }
}

/** JavaScript type of a C value. */
export type HostKind = 'number' | 'bigint' | 'boolean' | 'pointer' | 'other';

/** A translated expression. `guard`: JavaScript's value is `undefined` (or NaN) unless it holds. */
export type ProbePart =
  | { readonly kind: 'state' }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  | {
      readonly kind: 'formula';
      readonly formula: ProbeFormula;
      readonly host: HostKind;
      readonly guard?: ProbeFormula;
      readonly ctype?: CType;
    };
export type FormulaPart = Extract<ProbePart, { kind: 'formula' }>;

/**
 * The formula of a part that is no whole object. Floating point is allowed in `comparison` only: a probe cannot compute
 * with it.
 */
export function formulaOf(part: ProbePart, node: Node, use: 'value' | 'comparison' = 'value'): FormulaPart {
  switch (part.kind) {
    case 'formula':
      if (use === 'value' && isFloating(part))
        throw new UntranslatableProbe('floating point is only compared in a probe: s.level <= 0.5', node);
      if (use === 'value' && part.formula.kind === 'number')
        throw new UntranslatableProbe(
          `${part.formula.value} is no whole number; only floating point is compared with such`,
          node,
        );
      return part;
    case 'state':
      throw new UntranslatableProbe('this is the whole state; name a variable of it', node);
    case 'value':
      throw new UntranslatableProbe(`'${part.text}' is an object; a probe compares numbers and pointers`, node);
  }
}

/** JavaScript's truth: not zero, not null, not undefined. */
export function truthOf(part: ProbePart, node: Node): ProbeFormula {
  const { formula, host, guard, ctype } = formulaOf(part, node);
  if (ctype?.kind === 'array' || ctype?.kind === 'record')
    throw new UntranslatableProbe('an array or struct is always true in JavaScript; compare one of its parts', node);
  const truth: ProbeFormula =
    host === 'boolean'
      ? formula
      : host === 'pointer'
        ? { kind: '!=', left: formula, right: { kind: 'null' } }
        : { kind: '!=', left: formula, right: { kind: 'integer', value: '0' } };
  return guard ? { kind: 'and', left: guard, right: truth } : truth;
}

export function pathPart(formula: ProbeFormula, ctype: CType): FormulaPart {
  return { kind: 'formula', formula, host: hostKind(ctype), ctype };
}

export const isFloating = (part: ProbePart): boolean => part.kind === 'formula' && part.ctype?.kind === 'float';

export const lengthOf = (of: ProbePath): FormulaPart => ({
  kind: 'formula',
  formula: { kind: 'length', of },
  host: 'number',
});

function hostKind(type: CType): HostKind {
  switch (type.kind) {
    case 'integer':
      return type.name === 'bool' ? 'boolean' : type.widthBits > 32 ? 'bigint' : 'number';
    case 'enum':
      return type.underlying.widthBits > 32 ? 'bigint' : 'number';
    case 'pointer':
      return 'pointer';
    case 'float':
      return 'number';
    case 'array':
    case 'record':
    case 'void':
    case 'function':
      return 'other';
  }
}

export const boolean = (formula: ProbeFormula): FormulaPart => ({ kind: 'formula', formula, host: 'boolean' });
export const guardOf = (part: FormulaPart) => (part.guard ? { guard: part.guard } : {});
export const withGuard = (part: FormulaPart, guard: ProbeFormula | undefined): FormulaPart =>
  guard ? { ...part, guard } : part;

export function conjunction(left: ProbeFormula | undefined, right: ProbeFormula | undefined): ProbeFormula | undefined {
  return left && right ? { kind: 'and', left, right } : (left ?? right);
}
