/**
 * Automatic objects to which no pointer is left once they have ended: a form of escape analysis. Pointers to such an
 * object may be in variables of functions that its own function calls, which end earlier, and in variables of its own
 * function if the object begins only once per activation. They are never stored in memory or in global variables, given
 * to functions that the program does not define, converted to integers, or returned.
 *
 * An interpreter may therefore give the object's number to another one as soon as the activation has ended. Each
 * confined object has a fixed place in its function's frame.
 *
 * Flow of pointers is followed over the whole program, insensitive to order and context: from variable to variable by
 * assignments, arguments and results. Indirect calls publish their arguments.
 */
import type { Expression, FrameObject, Variable } from '../expression';
import type { Edge, FunctionDefinition, Program } from '../program';
import { unreachable } from '../../unreachable';
import { jumpOf } from './jumps';

/** Places are counted in these bytes: room for an object of 16 bytes and for marks of the bytes that were written. */
export const confinedUnitBytes = 32;

const limits = {
  /** Larger objects are rare, and their contents cost more than their beginning and end. */
  objectBytes: 1024,
  /** A frame that would take more of the room for all activations. */
  frameUnits: 128,
} as const;

export interface ConfinedObjects {
  /** Number of units at the beginning of the frame's part, for confined objects only. */
  place(object: FrameObject): number | undefined;
  /** Units that an activation of the function takes. */
  frameUnits(fn: FunctionDefinition): number;
  readonly isEmpty: boolean;
}

const known = new WeakMap<Program, ConfinedObjects>();

export function confinedObjects(program: Program): ConfinedObjects {
  let found = known.get(program);
  if (!found) known.set(program, (found = new PointerFlow(program).confined()));
  return found;
}

export const unitsOf = (sizeBytes: number): number =>
  Math.ceil((2 * Math.max(16, 16 * Math.ceil(sizeBytes / 16))) / confinedUnitBytes);

/** A variable that pointers flow into, or every place that outlives activations. */
type Target = number | 'published' | 'nowhere';

class PointerFlow {
  /** Number of a function's first variable. */
  private readonly first = new Map<FunctionDefinition, number>();
  private readonly successors: Set<number>[] = [];
  private readonly published = new Set<number>();
  private readonly objects = new Map<FrameObject, { published: boolean; readonly into: Set<number> }>();

  constructor(private readonly program: Program) {
    for (const fn of program.functions) {
      this.first.set(fn, this.successors.length);
      for (let i = 0; i < fn.variables.length; i++) this.successors.push(new Set());
      for (const object of fn.objects) this.objects.set(object, { published: false, into: new Set() });
    }
    for (const fn of program.functions) for (const edge of fn.edges) this.command(fn, edge);
    this.publishBackward();
  }

  confined(): ConfinedObjects {
    const places = new Map<FrameObject, number>();
    const frames = new Map<FunctionDefinition, number>();
    for (const fn of this.program.functions) {
      let units = 0;
      if (fn.objects.length > 0 && !fn.edges.some(({ command }) => isJump(command)))
        for (const object of fn.objects) {
          if (object.sizeBytes < 1 || object.sizeBytes > limits.objectBytes || !this.isConfined(object, fn)) continue;
          const needed = unitsOf(object.sizeBytes);
          if (units + needed > limits.frameUnits) continue;
          places.set(object, units);
          units += needed;
        }
      frames.set(fn, units);
    }
    return {
      place: (object) => places.get(object),
      frameUnits: (fn) => frames.get(fn) ?? 0,
      isEmpty: places.size === 0,
    };
  }

  private isConfined(object: FrameObject, fn: FunctionDefinition): boolean {
    const { published, into } = this.objects.get(object)!;
    if (published) return false;
    const [first, count] = [this.first.get(fn)!, fn.variables.length];
    const result = fn.resultVariable && first + fn.resultVariable.slot;
    let isInOwn = false;
    const reached = new Set(into);
    for (const variable of reached) {
      if (this.published.has(variable) || variable === result) return false;
      if (variable >= first && variable < first + count) isInOwn = true;
      for (const next of this.successors[variable]!) reached.add(next);
    }
    return !isInOwn || !beginsAgain(object, fn);
  }

  /** Variables that flow into a published one are published. */
  private publishBackward(): void {
    const predecessors: number[][] = this.successors.map(() => []);
    this.successors.forEach((targets, from) => targets.forEach((to) => predecessors[to]!.push(from)));
    for (const variable of this.published) for (const from of predecessors[variable]!) this.published.add(from);
  }

  private variable(fn: FunctionDefinition, variable: Variable): Target {
    return variable.scope === 'local' ? this.first.get(fn)! + variable.slot : 'published';
  }

  private command(fn: FunctionDefinition, { command }: Edge): void {
    const flow = (e: Expression, to: Target) => this.flow(fn, e, to, false);
    switch (command.kind) {
      case 'skip':
      case 'declare':
      case 'end':
      case 'havoc':
      case 'input':
        return;
      case 'assume':
      case 'check':
        return this.flow(fn, command.condition, 'nowhere', true);
      case 'assign':
        return flow(command.value, this.variable(fn, command.target));
      case 'store':
        flow(command.address, 'nowhere');
        return flow(command.value, 'published');
      case 'copy':
        flow(command.target, 'nowhere');
        flow(command.source, 'nowhere');
        return flow(command.size, 'nowhere');
      case 'fill':
        flow(command.target, 'nowhere');
        flow(command.byte, 'nowhere');
        return flow(command.size, 'nowhere');
      case 'allocate':
        return flow(command.size, 'nowhere');
      case 'free':
        return flow(command.pointer, 'nowhere');
      case 'call': {
        const { callee, target } = command;
        const named = callee.kind === 'function' ? callee : undefined;
        if (callee.kind !== 'function') flow(callee, 'published');
        command.arguments.forEach((argument, i) => {
          const parameter = named?.parameters[i];
          flow(argument, named && parameter ? this.variable(named, parameter) : 'published');
        });
        for (const called of named ? [named] : command.targets)
          if (called.resultVariable && target)
            this.join(this.first.get(called)! + called.resultVariable.slot, this.variable(fn, target));
        return;
      }
      case 'external':
        if (command.callee) flow(command.callee, 'published');
        for (const argument of command.arguments) flow(argument, 'published');
        return;
      case 'halt':
        if (command.status) flow(command.status, 'nowhere');
        return;
      default:
        return unreachable(command);
    }
  }

  /** The value of the expression flows there. `isTested`: it decides only where control goes. */
  private flow(fn: FunctionDefinition, e: Expression, to: Target, isTested: boolean): void {
    const use = (operand: Expression) => this.flow(fn, operand, 'nowhere', isTested);
    switch (e.kind) {
      case 'integer':
      case 'float':
      case 'null':
        return;
      case 'read': {
        const from = this.variable(fn, e.variable);
        if (typeof from === 'number' && e.type.kind === 'pointer') this.join(from, to);
        return;
      }
      case 'address': {
        if (e.of.kind !== 'frame-object' || to === 'nowhere') return;
        const object = this.objects.get(fn.objects[e.of.slot]!)!;
        if (to === 'published') object.published = true;
        else object.into.add(to);
        return;
      }
      case 'load':
        return use(e.address);
      case 'unary':
        return use(e.operand);
      case 'binary':
      case 'compare':
        use(e.left);
        return use(e.right);
      case 'convert':
        if (e.operand.type.kind !== 'pointer') return use(e.operand);
        return this.flow(fn, e.operand, e.type.kind === 'pointer' ? to : isTested ? 'nowhere' : 'published', isTested);
      case 'offset':
        this.flow(fn, e.pointer, to, isTested);
        return use(e.delta);
      case 'object-of':
        return this.flow(fn, e.pointer, isTested ? 'nowhere' : 'published', isTested);
      case 'offset-of':
      case 'object-size':
      case 'is-live':
      case 'is-writable':
      case 'is-heap':
      case 'is-initialised':
        return use(e.pointer);
      case 'all-reached':
        for (const from of e.from) this.flow(fn, from, 'published', isTested);
        return;
      case 'list':
        for (const part of [e.list, e.link, e.node, e.condition]) this.flow(fn, part, 'published', isTested);
        return;
      case 'conditional':
        use(e.condition);
        this.flow(fn, e.then, to, isTested);
        return this.flow(fn, e.otherwise, to, isTested);
      default:
        return unreachable(e);
    }
  }

  private join(from: number, to: Target): void {
    if (to === 'published') this.published.add(from);
    else if (to !== 'nowhere') this.successors[from]!.add(to);
  }
}

/** True if an activation may come back to the object's declaration. */
function beginsAgain(object: FrameObject, fn: FunctionDefinition): boolean {
  const declarations = fn.edges.filter(
    ({ command }) => command.kind === 'declare' && command.object.slot === object.slot,
  );
  if (declarations.length > 1) return true;
  return declarations.some(({ from, to }) => {
    const reached = new Set([to]);
    for (const location of reached) for (const edge of location.edges) reached.add(edge.to);
    return reached.has(from);
  });
}

/** Calls after which control may come back to where it was before: see `jumps.ts`. */
function isJump(command: Edge['command']): boolean {
  return command.kind === 'external' && jumpOf(command.name) !== undefined;
}
