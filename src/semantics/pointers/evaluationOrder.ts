/**
 * Places where an unspecified order of evaluation matters (C11 6.5p2-3, 6.5.2.2p10): operands of one operator,
 * arguments of one call, items of one list, of which one changes what another reads or changes. Lowering evaluates them
 * from left to right, or in either order if it is asked to; a proof holds for every order exactly where no such place
 * is found.
 *
 * The region analysis tells what a command touches: global variables by name, memory by region (and by offset, where
 * both sides know it), and `lives` for the set of live objects, which `free` changes and every access through a pointer
 * depends on. A function touches what its commands do, and those it calls. Making objects is no conflict: they are
 * always new.
 */
import type { Span } from '../../c/source';
import type { Command, ExternalCommand } from '../../program/command';
import { cellsOf } from '../../program/congruence';
import type { Expression, Variable } from '../../program/expression';
import { nativeFunctions } from '../../program/linking/natives';
import type { FunctionDefinition, Program, UnorderedOperands } from '../../program/program';
import { expressionsOf, targetOf, walk } from '../../program/traverse';
import { scalarBytes, type Node } from './regionNode';
import type { Regions } from './regions';

type Thing = Variable | Node | 'lives' | 'world';
/** Bytes of a region's objects, where they are known. */
interface Range {
  readonly start: number;
  readonly end: number;
}
type Touched = Map<Thing, Range[] | 'all'>;
interface Accesses {
  readonly reads: Touched;
  readonly writes: Touched;
}

const none = (): Accesses => ({ reads: new Map(), writes: new Map() });

/** `inEitherOrder`: the operands are evaluated as wholes in either order, and C allows more. */
export interface OrderDependent {
  readonly span: Span;
  readonly inEitherOrder: boolean;
}

/**
 * The places in the user's own functions, in program order, each once. `conflicts`: two accesses of one object without
 * a call between them are either `checked` (by `unsequenced`), or `listed` like the others.
 */
export function orderDependent(
  program: Program,
  regions: Regions,
  conflicts: 'checked' | 'listed' = 'listed',
): readonly OrderDependent[] {
  return new EvaluationOrder(program, regions).places(conflicts);
}

class EvaluationOrder {
  private readonly summaries = new Map<FunctionDefinition, Accesses>();

  constructor(
    private readonly program: Program,
    private readonly regions: Regions,
  ) {
    for (const fn of program.functions) this.summaries.set(fn, none());
    for (let size = -1, now = 0; size !== now;) {
      size = now;
      for (const fn of program.functions)
        for (const { command } of fn.edges) this.command(command, this.summaries.get(fn)!);
      now = [...this.summaries.values()].reduce((sum, { reads, writes }) => sum + extent(reads) + extent(writes), 0);
    }
  }

  places(conflicts: 'checked' | 'listed'): readonly OrderDependent[] {
    const found: OrderDependent[] = [];
    for (const fn of this.program.functions) {
      if (fn.library) continue;
      for (const unordered of fn.unordered ?? []) {
        if (unordered.checked && conflicts === 'checked') continue;
        if (unordered.inEitherOrder && this.isCovered(unordered)) continue;
        const { span } = unordered;
        if (
          this.matters(unordered) &&
          !found.some(
            ({ span: other }) => other.file === span.file && other.start === span.start && other.end === span.end,
          )
        )
          found.push({ span, inEitherOrder: unordered.inEitherOrder === true });
      }
    }
    return found;
  }

  /** Some operand changes what another uses or changes. Unless they are two checked accesses, one does so in a call. */
  private matters({ operands, checked }: UnorderedOperands): boolean {
    const accesses = operands.map(({ commands, values, wholes = [], called }) => {
      const [all, ofCalls] = [none(), none()];
      for (const command of commands) {
        this.command(command, all);
        if (called.has(command)) this.command(command, ofCalls);
      }
      for (const value of values) this.reads(value, all);
      for (const whole of wholes) this.memory(whole, undefined, all.reads);
      return { all, inCall: checked ? all : ofCalls };
    });
    return accesses.some((a, i) =>
      accesses.some((b, j) => i < j && (conflict(a.inCall, b.all) || conflict(a.all, b.inCall))),
    );
  }

  /**
   * Evaluating the operands as wholes, in either order, has every result that C allows: of two operands at most one
   * call or access each depends on the other. Others commute, whatever they are interleaved with.
   */
  private isCovered({ operands }: UnorderedOperands): boolean {
    const parts = operands.map(({ commands, values, wholes = [], called, accesses = [] }) => {
      const [all, ofCalls] = [none(), none()];
      const calls = new Map<number, Accesses>();
      for (const command of commands) {
        this.command(command, all);
        const call = called.get(command);
        if (call === undefined) continue;
        const own = calls.get(call) ?? none();
        calls.set(call, own);
        this.command(command, own);
        this.command(command, ofCalls);
      }
      for (const value of values) this.reads(value, all);
      for (const whole of wholes) this.memory(whole, undefined, all.reads);
      const others = accesses.map((access) => {
        const own = none();
        this.command(access, own);
        return own;
      });
      return { all, ofCalls, calls: [...calls.values()], others };
    });
    let pairs = 0;
    for (const [i, a] of parts.entries()) {
      for (const b of parts.slice(i + 1)) {
        const dependent = (one: (typeof parts)[number], other: (typeof parts)[number]): number =>
          one.calls.filter((call) => conflict(call, other.all)).length +
          one.others.filter((access) => conflict(access, other.ofCalls)).length;
        const [left, right] = [dependent(a, b), dependent(b, a)];
        if (left > 1 || right > 1) return false;
        if (left + right > 0) pairs++;
      }
    }
    return operands.length === 2 || pairs <= 1;
  }

  private reads(e: Expression, into: Accesses): void {
    walk(e, (inner) => {
      switch (inner.kind) {
        case 'read':
          touch(into.reads, inner.variable, 'all');
          break;
        case 'load':
          this.memory(inner.address, scalarBytes(inner.type, this.program), into.reads);
          touch(into.reads, 'lives', 'all');
          break;
        case 'list':
          this.memory(inner.link.address, undefined, into.reads);
          touch(into.reads, 'lives', 'all');
          break;
        case 'is-live':
          touch(into.reads, 'lives', 'all');
          break;
        default:
          break;
      }
    });
  }

  private memory(address: Expression, bytes: number | undefined, into: Touched): void {
    const target = this.regions.pointee(address);
    if (!target) return;
    const exact = bytes !== undefined && target.at.modulus === 0;
    touch(
      into,
      this.regions.find(target.node),
      exact ? cellsOf(target.at).map((start) => ({ start, end: start + bytes })) : 'all',
    );
  }

  private command(command: Command, into: Accesses): void {
    for (const e of expressionsOf(command)) this.reads(e, into);
    const target = targetOf(command);
    // Variables that lowering adds (whether a function returned a value, how much is allocated) are the same in every
    // order.
    if (target && !(target.scope === 'global' && target.ctype === undefined)) touch(into.writes, target, 'all');
    switch (command.kind) {
      case 'store':
        this.memory(command.address, scalarBytes(command.type, this.program), into.writes);
        touch(into.reads, 'lives', 'all');
        break;
      case 'copy':
        this.memory(command.source, undefined, into.reads);
        this.memory(command.target, undefined, into.writes);
        touch(into.reads, 'lives', 'all');
        break;
      case 'fill':
        this.memory(command.target, undefined, into.writes);
        touch(into.reads, 'lives', 'all');
        break;
      case 'free':
        touch(into.writes, 'lives', 'all');
        break;
      case 'call':
        for (const callee of command.targets) this.include(this.summaries.get(callee)!, into);
        break;
      case 'external':
        this.external(command, into);
        break;
      default:
        break;
    }
  }

  private include(callee: Accesses, into: Accesses): void {
    for (const [from, to] of [
      [callee.reads, into.reads],
      [callee.writes, into.writes],
    ] as const)
      for (const [thing, ranges] of from) if (outlives(thing)) touch(to, thing, ranges);
  }

  /** Library functions are known; others may read and change all that is not local. */
  private external(command: ExternalCommand, into: Accesses): void {
    if (!nativeFunctions.has(command.name)) {
      touch(into.reads, 'world', 'all');
      touch(into.writes, 'world', 'all');
      return;
    }
    const handed = command.arguments.flatMap((argument) =>
      argument.type.kind === 'pointer' ? (this.regions.pointee(argument)?.node ?? []) : [],
    );
    for (const node of this.regions.reachable(handed)) touch(into.reads, node, 'all');
    for (const node of this.regions.writtenByNative(command)) touch(into.writes, node, 'all');
  }
}

const outlives = (thing: Thing): boolean =>
  typeof thing === 'string' || !('scope' in thing) || thing.scope === 'global';

function touch(into: Touched, thing: Thing, ranges: readonly Range[] | 'all'): void {
  const known = into.get(thing);
  if (known === 'all') return;
  if (ranges === 'all') {
    into.set(thing, 'all');
    return;
  }
  const fresh = ranges.filter(({ start, end }) => !known?.some((other) => other.start === start && other.end === end));
  if (fresh.length > 0 || !known) into.set(thing, [...(known ?? []), ...fresh]);
}

function extent(touched: Touched): number {
  let size = 0;
  for (const ranges of touched.values()) size += ranges === 'all' ? 1_000_000 : 1 + ranges.length;
  return size;
}

const conflict = (a: Accesses, b: Accesses): boolean =>
  meets(a.writes, b.reads) || meets(a.writes, b.writes) || meets(b.writes, a.reads);

/** Two unknown functions do anything in either order; one of them and an access to what it may know do not commute. */
function meets(writes: Touched, others: Touched): boolean {
  for (const [thing, ranges] of writes) {
    if (thing === 'world') {
      for (const other of others.keys()) if (other !== 'world' && outlives(other)) return true;
      continue;
    }
    if (outlives(thing) && others.has('world')) return true;
    const other = others.get(thing);
    if (other === undefined) continue;
    if (
      ranges === 'all' ||
      other === 'all' ||
      ranges.some((a) => other.some((b) => a.start < b.end && b.start < a.end))
    )
      return true;
  }
  return false;
}
