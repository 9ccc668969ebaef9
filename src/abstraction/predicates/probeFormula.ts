/**
 * A probe as data: a boolean expression over C variables in exact integer arithmetic (a JavaScript number or bigint has
 * no width, so neither have these); floating point is compared, as JavaScript does it, and not computed with. Made from
 * a TypeScript arrow function by `plugin/probes`, turned into a term by `abstraction/probes`.
 */
export type ProbeFormula =
  | { readonly kind: 'integer'; readonly value: string }
  /** Only compared, with a path to floating point. */
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  /**
   * A path from a variable: `s.head.next[2].value` is variable `head`, then steps. A pointer is followed by
   * `field`/`index` as `->`/`[]`.
   */
  | ProbePath
  /** Number of elements from where the pointer leads to the end of its object; none behind null. */
  | { readonly kind: 'length'; readonly of: ProbePath }
  /** Both pointers, or arrays, lie in one object, alive or not; behind null there is none. */
  | { readonly kind: 'same-object'; readonly left: ProbePath; readonly right: ProbePath }
  | ListFormula
  | { readonly kind: 'not' | 'negate'; readonly operand: ProbeFormula }
  | {
      readonly kind:
        | 'and'
        | 'or'
        | '+'
        | '-'
        | '*'
        | '/'
        | '%'
        | '&'
        | '|'
        | '^'
        | '<<'
        | '>>'
        | '=='
        | '!='
        | '<'
        | '<='
        | '>'
        | '>=';
      readonly left: ProbeFormula;
      readonly right: ProbeFormula;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: ProbeFormula;
      readonly then: ProbeFormula;
      readonly otherwise: ProbeFormula;
    };
/**
 * A condition on the list to which a pointer leads along the member `link`, or its number of nodes. No condition holds
 * of what is no list that ends in null.
 */
export type ListFormula = { readonly kind: 'list'; readonly list: ProbePath; readonly link: string } & (
  | { readonly is: 'acyclic' }
  | { readonly is: 'through'; readonly node: ProbePath }
  /** `condition` mentions the node as the variable `name`. */
  | { readonly is: 'every'; readonly name: string; readonly condition: ProbeFormula }
  /** The length of a list of clients is only compared with a constant of at most `mostListLength`. */
  | { readonly is: 'length' }
);
/** Lengths of clients' lists that conditions distinguish. */
export const mostListLength = 8;

export interface ProbePath {
  readonly kind: 'path';
  readonly variable: string;
  readonly steps: readonly PathStep[];
}
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: ProbeFormula }
  | { readonly kind: 'dereference' };

/** True if some part is a condition on a list. */
export function mentionsList(formula: ProbeFormula): boolean {
  switch (formula.kind) {
    case 'list':
      return true;
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
    case 'path':
    case 'length':
      return false;
    case 'not':
    case 'negate':
      return mentionsList(formula.operand);
    case 'conditional':
      return [formula.condition, formula.then, formula.otherwise].some(mentionsList);
    default:
      return [formula.left, formula.right].some(mentionsList);
  }
}

/** Names of the variables at which the formula's paths begin. */
export function variablesOf(formula: ProbeFormula): readonly string[] {
  switch (formula.kind) {
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return [];
    case 'path':
      return [
        formula.variable,
        ...formula.steps.flatMap((step) => (step.kind === 'index' ? variablesOf(step.index) : [])),
      ];
    case 'length':
      return variablesOf(formula.of);
    case 'list':
      return [
        ...variablesOf(formula.list),
        ...(formula.is === 'through' ? variablesOf(formula.node) : []),
        ...(formula.is === 'every' ? variablesOf(formula.condition).filter((name) => name !== formula.name) : []),
      ];
    case 'not':
    case 'negate':
      return variablesOf(formula.operand);
    case 'conditional':
      return [formula.condition, formula.then, formula.otherwise].flatMap(variablesOf);
    default:
      return [...variablesOf(formula.left), ...variablesOf(formula.right)];
  }
}
