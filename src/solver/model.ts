/** Models as finitely many values with defaults for the rest; everything else is computed by our own evaluator. */
import { defaultValue } from '../logic/arrays/arrayValue';
import { evaluateInto, NotComputable } from '../logic/evaluate';
import { sortText } from '../logic/sort';
import type { Application, SymbolTerm, Term, Value } from '../logic/term';
import type { Model } from './solver';

export interface CallValue {
  readonly term: Application;
  readonly args: readonly Value[];
  readonly value: Value;
}

export class FiniteModel implements Model {
  /** Values of subterms asked for so far. */
  private readonly known = new Map<Term, Value>();
  private readonly calls = new Map<string, Value>();

  readonly partial: boolean;

  constructor(
    private readonly symbols: ReadonlyMap<SymbolTerm, Value>,
    calls: readonly CallValue[] = [],
    scope: 'whole' | 'partial' = 'whole',
  ) {
    this.partial = scope === 'partial';
    for (const { term, args, value } of calls) this.calls.set(callKey(term, args), value);
  }

  symbol(symbol: SymbolTerm): Value {
    return this.symbols.get(symbol) ?? defaultValue(symbol.sort);
  }

  evaluate(term: Term): Value {
    return evaluateInto(
      this.known,
      term,
      (symbol) => this.symbol(symbol),
      (_, args, application) => this.calls.get(callKey(application, args)) ?? defaultValue(application.sort),
    );
  }
}

function callKey(term: Application, args: readonly Value[]): string {
  const texts = args.map((value, i) => `${sortText(term.args[i]!.sort)}=${valueText(value)}`);
  return `${term.name} ${sortText(term.sort)} ${texts.join(' ')}`;
}

function valueText(value: Value): string {
  if (typeof value !== 'object') return String(value);
  return `[${valueText(value.default)}${[...value.entries].map(([i, v]) => ` ${i}:${valueText(v)}`).join('')}]`;
}

/** Truth of a term under a model; undefined where that is beyond computing (a quantifier over many words). */
export function truthUnder(model: Model, term: Term): boolean | undefined {
  try {
    return model.evaluate(term) === true;
  } catch (error) {
    if (error instanceof NotComputable) return undefined;
    throw error;
  }
}

export function allHold(model: Model, terms: readonly Term[]): boolean {
  return terms.findLast((term) => truthUnder(model, term) !== true) === undefined;
}
