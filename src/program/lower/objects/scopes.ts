/**
 * Automatic objects that must exist before control reaches their declaration:
 *
 * - objects into whose lifetime a jump leads (`goto` or `switch` over the declaration),
 * - objects to whose declaration a jump in their block goes back,
 * - compound literals, which live as long as their block. Those for temporary objects are declared as variables are.
 *
 * They are declared at the beginning of their block. All others are declared at their declaration, which no program can
 * distinguish (C11 6.2.4p6).
 */
import type { Span } from '../../../c/source';
import type { Statement, VariableSymbol } from '../../../c/tree';
import { walkStatement } from '../walk';

type Scope = Extract<Statement, { kind: 'block' | 'for' }>;
type Switch = Extract<Statement, { kind: 'switch' }>;
export type CaseLabel = Extract<Statement, { kind: 'case' | 'default' }>;

export interface ScopeInfo {
  /** By block or `for` statement. */
  readonly early: ReadonlyMap<Statement, readonly VariableSymbol[]>;
  /** The early objects that are still the same object when control returns to their declaration. */
  readonly revisited: ReadonlySet<VariableSymbol>;
  readonly cases: ReadonlyMap<Switch, readonly CaseLabel[]>;
  /** The symbols of compound literals, which are objects whatever their type. */
  readonly literals: ReadonlySet<VariableSymbol>;
  /** The span in which the name of a symbol denotes it. */
  readonly visible: ReadonlyMap<VariableSymbol, Span>;
}

/** Scopes of a function without a body. */
export const noScopes: ScopeInfo = {
  early: new Map(),
  revisited: new Set(),
  cases: new Map(),
  literals: new Set(),
  visible: new Map(),
};

interface Declared {
  readonly symbol: VariableSymbol;
  readonly scope: OpenScope;
  readonly at: number;
}
interface OpenScope {
  readonly statement: Scope;
  readonly begin: number;
  end: number;
  readonly literals: VariableSymbol[];
}

export function analyseScopes(body: Statement): ScopeInfo {
  let position = 0;
  const scopes: OpenScope[] = [];
  const all: OpenScope[] = [];
  const declared: Declared[] = [];
  const labels = new Map<string, number>();
  const gotos: { readonly label: string; readonly from: number }[] = [];
  const jumps: { readonly from: number; readonly to: number }[] = [];
  const switches: { readonly statement: Switch; readonly at: number; readonly cases: CaseLabel[] }[] = [];
  const cases = new Map<Switch, readonly CaseLabel[]>();

  walkStatement(body, {
    statement: (s) => {
      position++;
      switch (s.kind) {
        case 'block':
        case 'for': {
          const scope = { statement: s, begin: position, end: Infinity, literals: [] };
          scopes.push(scope);
          all.push(scope);
          break;
        }
        case 'declare':
          declared.push({ symbol: s.symbol, scope: scopes[scopes.length - 1]!, at: position });
          break;
        case 'switch': {
          const entry = { statement: s, at: position, cases: [] };
          switches.push(entry);
          cases.set(s, entry.cases);
          break;
        }
        case 'case':
        case 'default': {
          const target = switches[switches.length - 1]!;
          target.cases.push(s);
          jumps.push({ from: target.at, to: position });
          break;
        }
        case 'label':
          labels.set(s.name, position);
          break;
        case 'goto':
          gotos.push({ label: s.label, from: position });
          break;
        case 'computed-goto':
          for (const { label } of s.labels) gotos.push({ label, from: position });
          break;
        default:
          break;
      }
    },
    leave: (s) => {
      if (s.kind === 'block' || s.kind === 'for') scopes.pop()!.end = position;
      if (s.kind === 'switch') switches.pop();
    },
    expression: (e) => {
      if (e.kind === 'compound-literal') scopes[scopes.length - 1]!.literals.push(e.symbol);
    },
  });

  for (const { label, from } of gotos) {
    const to = labels.get(label);
    if (to !== undefined) jumps.push({ from, to });
  }
  const isDeclared = new Set(declared.map(({ symbol }) => symbol));
  const early = new Map<Statement, VariableSymbol[]>(
    all.map(({ statement, literals }) => [statement, literals.filter((symbol) => !isDeclared.has(symbol))]),
  );
  const revisited = new Set<VariableSymbol>();
  for (const { symbol, scope, at } of declared) {
    const skipped = jumps.some(({ from, to }) => at < to && to <= scope.end && (from < at || from > scope.end));
    if (jumps.some(({ from, to }) => scope.begin < to && to < at && at < from && from <= scope.end))
      revisited.add(symbol);
    if (skipped || revisited.has(symbol)) early.get(scope.statement)!.push(symbol);
  }
  const visible = new Map(
    declared
      .filter(({ symbol }) => !symbol.isTemporary)
      .map(
        ({
          symbol,
          scope: {
            statement: { span },
          },
        }) => [symbol, { ...symbol.span, end: Math.max(symbol.span.end, span.end) }] as const,
      ),
  );
  return { early, revisited, cases, visible, literals: new Set(all.flatMap((scope) => scope.literals)) };
}
