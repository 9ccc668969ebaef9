/** A state that satisfies the constraints of a node: what it makes true need not be asked about. */
import { defaultValue } from '../../logic/arrays/arrayValue';
import { compile } from '../../logic/compile';
import { NotComputable } from '../../logic/evaluate';
import type { SymbolTerm, Term, Value } from '../../logic/term';

export class WitnessState {
  constructor(private readonly values: ReadonlyMap<SymbolTerm, Value>) {}

  readonly value = (symbol: SymbolTerm): Value => this.values.get(symbol) ?? defaultValue(symbol.sort);

  /** Undefined where that is beyond computing. */
  evaluate(term: Term): Value | undefined {
    if (term.kind === 'symbol') return this.value(term);
    try {
      return compile(term)(this.value);
    } catch (error) {
      if (error instanceof NotComputable) return undefined;
      throw error;
    }
  }

  holds(terms: Iterable<Term>): boolean {
    for (const term of terms) if (this.evaluate(term) !== true) return false;
    return true;
  }

  with(more: Iterable<readonly [SymbolTerm, Value]>): WitnessState {
    const values = new Map(this.values);
    for (const [symbol, value] of more) values.set(symbol, value);
    return new WitnessState(values);
  }
}
