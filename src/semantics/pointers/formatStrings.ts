/**
 * Which texts a format may be that is no literal where it is used: those that the callers of a function such as `void
 * log(const char *format, ...)` pass on. Nothing is said of memory, so that it serves where pointers of all kinds are
 * one.
 */
import type { Expression, Variable } from '../../program/expression';
import { literalText } from '../../program/linking/natives';
import type { FunctionDefinition, Program } from '../../program/program';
import { targetOf } from '../../program/traverse';
import { addressTaken } from './callbacks';

const known = new WeakMap<Program, FormatStringAnalysis>();

export function formatStrings(program: Program): FormatStringAnalysis {
  let texts = known.get(program);
  if (!texts) known.set(program, (texts = new FormatStringAnalysis(program)));
  return texts;
}

export class FormatStringAnalysis {
  private readonly owners = new Map<Variable, FunctionDefinition>();
  private readonly taken: ReadonlySet<number>;
  constructor(private readonly program: Program) {
    this.taken = addressTaken(program);
    for (const fn of program.functions) for (const variable of fn.variables) this.owners.set(variable, fn);
  }

  /**
   * Undefined when it may be another text. `given`: parameters that get values from outside the program, those of a
   * static function that is where it begins, too.
   */
  of(format: Expression, given: ReadonlySet<Variable> = new Set()): readonly string[] | undefined {
    return this.texts(format, given, new Set());
  }

  private texts(e: Expression, given: ReadonlySet<Variable>, seen: Set<Variable>): readonly string[] | undefined {
    const text = literalText(e);
    if (text !== undefined) return [text];
    if (e.kind === 'conditional') return all([e.then, e.otherwise].map((part) => this.texts(part, given, seen)));
    if (e.kind !== 'read' || e.variable.scope !== 'local' || given.has(e.variable)) return undefined;
    if (seen.has(e.variable)) return [];
    seen.add(e.variable);
    const fn = this.owners.get(e.variable);
    return (
      fn &&
      all(
        [...this.assignedValues(fn, e.variable), ...this.passedValues(fn, e.variable)].map(
          (value) => value && this.texts(value, given, seen),
        ),
      )
    );
  }

  /** Values its function gives it; undefined for what is no expression. */
  private assignedValues(fn: FunctionDefinition, variable: Variable): (Expression | undefined)[] {
    return fn.edges.flatMap(({ command }) =>
      targetOf(command) === variable ? [command.kind === 'assign' ? command.value : undefined] : [],
    );
  }

  /** Callers' arguments; undefined where a client may be a caller. No client calls a function of variable arguments. */
  private passedValues(fn: FunctionDefinition, variable: Variable): (Expression | undefined)[] {
    const at = fn.parameters.indexOf(variable);
    if (at === -1) return [];
    const isCalledHere =
      !this.taken.has(fn.number) && (fn.linkage !== 'external' || (fn.ctype.kind === 'function' && fn.ctype.variadic));
    if (!isCalledHere) return [undefined];
    return this.program.functions.flatMap((caller) =>
      caller.edges.flatMap(({ command }) =>
        command.kind === 'call' && command.callee === fn ? [command.arguments[at]] : [],
      ),
    );
  }
}

function all(parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}
