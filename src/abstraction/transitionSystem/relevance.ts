/**
 * Which variables an invariant at a location can be about: those whose value may still decide where control goes, what
 * is checked, or what memory holds (strong liveness; Giegerich, Möncke, Wilhelm, "Invariance of approximative semantics
 * with respect to program transformations", 1981). Checks that are not in force and end nothing do not count, and so
 * the marks that only serve them vanish. Only guesses depend on this, no proof.
 */
import { isChecked, type CheckKind, type Command, type Property } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { isProgramStart } from '../../program/programStart';
import { expressionsOf, walk } from '../../program/traverse';

export interface RelevanceOptions {
  readonly functions: Iterable<FunctionDefinition>;
  readonly checkedProperties: ReadonlySet<Property | CheckKind>;
  /** Commands that read nothing, as in a weaker program. */
  readonly dropped?: ReadonlySet<Edge>;
  /** True if a caller uses the result. */
  readonly hasCaller: (fn: FunctionDefinition) => boolean;
}

export class Relevance {
  private readonly live = new Map<Location, Set<Variable>>();
  private readonly globals = new Set<Variable>();
  /** By location: static variables whose value there is read before another is assigned, or when the function ends. */
  private readonly needed = new Map<FunctionDefinition, ReadonlyMap<Location, ReadonlySet<Variable>>>();

  constructor(private readonly options: RelevanceOptions) {
    const functions = [...options.functions];
    for (const fn of functions) {
      for (const location of fn.locations) this.live.set(location, new Set());
      if (!options.hasCaller(fn)) continue;
      // A caller knows its arguments: what it learns of a result, it learns in their terms.
      for (const variable of [...fn.parameters, ...(fn.resultVariable ? [fn.resultVariable] : [])])
        this.live.get(fn.exit)!.add(variable);
    }
    for (let changed = true; changed;) {
      const before = this.globals.size;
      changed = functions.map((fn) => this.pass(fn)).some(Boolean) || this.globals.size !== before;
    }
  }

  at(location: Location, variable: Variable): boolean {
    const of = variable.entryValueOf;
    if (of) return of.scope !== 'global' || this.globals.has(of);
    return variable.scope === 'global' ? this.globals.has(variable) : (this.live.get(location)?.has(variable) ?? true);
  }

  /** The same in its function, whose static variables may be assigned before anything reads them. */
  inFunction(fn: FunctionDefinition, location: Location, variable: Variable): boolean {
    const isRelevant = this.at(location, variable);
    if (!isRelevant || variable.scope !== 'global' || variable.entryValueOf) return isRelevant;
    let needed = this.needed.get(fn);
    if (!needed) this.needed.set(fn, (needed = neededGlobals(fn, this.globals)));
    return needed.get(location)?.has(variable) ?? true;
  }

  private pass(fn: FunctionDefinition): boolean {
    let changed = false;
    for (const location of [...fn.locations].reverse()) {
      const here = this.live.get(location)!;
      const size = here.size;
      for (const edge of location.edges) {
        const { command, to } = edge;
        const after = this.live.get(to)!;
        const written =
          'target' in command && command.target && 'slot' in command.target && command.target.kind === 'variable'
            ? command.target
            : undefined;
        const wanted = written ? (written.scope === 'global' ? this.globals.has(written) : after.has(written)) : true;
        for (const variable of after) if (variable !== written) here.add(variable);
        if (this.options.dropped?.has(edge)) continue;
        if (this.decides(command) || wanted) for (const e of this.looksAt(command)) this.read(e, here);
      }
      // The number of texts that a program is started with says which of them there are.
      if (isProgramStart(fn) && here.has(fn.parameters[1]!)) here.add(fn.parameters[0]!);
      if (here.size !== size) changed = true;
    }
    return changed;
  }

  private decides(command: Command): boolean {
    switch (command.kind) {
      case 'assign':
      case 'havoc':
      case 'input':
      case 'skip':
        return false;
      default:
        return true;
    }
  }

  private looksAt(command: Command): readonly Expression[] {
    const { checkedProperties } = this.options;
    if (command.kind === 'check' && command.ifUnchecked === 'ignore' && !isChecked(command, checkedProperties))
      return [];
    return expressionsOf(command);
  }

  private read(e: Expression, here: Set<Variable>): void {
    walk(e, (node) => {
      if (node.kind !== 'read') return;
      if (node.variable.scope === 'global') this.globals.add(node.variable);
      else here.add(node.variable);
    });
  }
}

/** A backward data flow: all are needed where the function ends, calls another or stops. */
function neededGlobals(
  fn: FunctionDefinition,
  all: ReadonlySet<Variable>,
): ReadonlyMap<Location, ReadonlySet<Variable>> {
  const needed = new Map(fn.locations.map((location) => [location, new Set(location === fn.exit ? all : [])]));
  for (let changed = true; changed;) {
    changed = false;
    for (const location of [...fn.locations].reverse()) {
      const here = needed.get(location)!;
      const size = here.size;
      for (const { command, to } of location.edges) {
        const leaves = command.kind === 'call' || command.kind === 'external' || command.kind === 'halt';
        const written = command.kind === 'assign' ? command.target : undefined;
        for (const variable of leaves ? all : needed.get(to)!) if (variable !== written) here.add(variable);
        for (const e of expressionsOf(command))
          walk(e, (node) => {
            if (node.kind === 'read' && node.variable.scope === 'global') here.add(node.variable);
          });
      }
      changed ||= here.size !== size;
    }
  }
  return needed;
}
