/**
 * Variables and objects that a function may have changed since a call of `setjmp`, when a jump leads back there: those
 * have any value afterwards, unless they are volatile (C11 7.13.2.1p3).
 */
import { jumpOf } from '../automata/jumps';
import type { ExternalCommand } from '../command';
import type { Expression, FrameObject, Variable } from '../expression';
import type { Edge, FunctionDefinition, Location, StaticObject } from '../program';
import type { Span } from '../../c/source';
import { expressionsOf, operands, targetOf, variablesIn } from '../traverse';
import { isAggregate } from './objects/layout';

export const kindOf = ({ command }: Edge): 'set' | 'jump' | undefined =>
  command.kind === 'external' ? jumpOf(command.name) : undefined;

export const isJumpingCall = ({ command }: Edge, jumping: ReadonlySet<FunctionDefinition>): boolean =>
  command.kind === 'call' && command.targets.some((target) => jumping.has(target));

/** The static object that a call of `setjmp` or `longjmp` names. */
export function staticPlaceOf({ command }: Edge): StaticObject | undefined {
  const place = command.kind === 'external' && jumpOf(command.name) ? command.arguments[0]! : undefined;
  return place?.kind === 'address' && place.of.kind === 'static-object' ? place.of : undefined;
}

/** The automatic object that a call of `setjmp` writes, if it is named there. */
function placeOf({ command }: Edge): FrameObject[] {
  const place = command.kind === 'external' ? command.arguments[0]! : undefined;
  return place?.kind === 'address' && place.of.kind === 'frame-object' ? [place.of] : [];
}

export interface Changed {
  /** Automatic variables and objects that hold any value after a jump to here. */
  readonly changedVariables: readonly Variable[];
  readonly changedObjects: readonly FrameObject[];
}

/**
 * Variables of its own that the function may have changed after each of its calls of `setjmp`, when a jump leads back
 * to it, also by way of other calls of `setjmp`. Undefined if that is not supported.
 */
export class Changes {
  private readonly exposed: ReadonlySet<FrameObject>;
  private readonly sites: readonly Edge[];
  private readonly endings: readonly Edge[];

  constructor(
    private readonly fn: FunctionDefinition,
    jumping: ReadonlySet<FunctionDefinition>,
    private readonly declared: ReadonlyMap<Location, ReadonlySet<FrameObject>>,
    /** Static objects that nothing but `setjmp` and `longjmp` name. */
    private readonly holders: ReadonlyMap<StaticObject, Variable>,
    /** Nothing but a call of `setjmp` that names it writes an automatic place. */
    private readonly placesAreNamed: boolean,
  ) {
    this.exposed = exposedObjects(fn);
    this.sites = fn.edges.filter((edge) => kindOf(edge) === 'set');
    this.endings = fn.edges.filter((edge) => kindOf(edge) === 'jump' || isJumpingCall(edge, jumping));
  }

  all(): ReadonlyMap<Edge, Changed> | undefined {
    const own = new Map<Edge, { variables: Set<Variable>; objects: Set<FrameObject>; by: readonly Edge[] }>();
    for (const site of this.sites) {
      const between = this.between(site);
      const commands = between.map(({ command }) => command);
      const written = new Set([
        ...commands.flatMap((command) => (command.kind === 'store' ? objectsIn(command.address) : [])),
        ...between.flatMap((edge) => (kindOf(edge) === 'set' ? placesIn(edge) : [])),
      ]);
      const places = new Set(this.placesAreNamed ? this.sites.flatMap(placeOf) : []);
      // A jump needs what this call has written.
      const keeps = (object: FrameObject): boolean =>
        places.has(object) && (placeOf(site).includes(object) || !written.has(object));
      own.set(site, {
        variables: new Set(commands.flatMap((command) => targetOf(command) ?? []).filter(isKeptNowhere)),
        objects: new Set(
          [...this.declared.get(site.from)!].filter(
            (object) => !isVolatile(object) && !keeps(object) && (this.exposed.has(object) || written.has(object)),
          ),
        ),
        by: this.jumpedTo(site),
      });
    }
    // A jump to another call of `setjmp` changes what that one returns, and what is open behind it.
    for (let grown = true; grown;) {
      grown = false;
      for (const { variables, by } of own.values()) {
        const before = variables.size;
        for (const other of by) {
          const target = targetOf(other.command);
          if (target && isKeptNowhere(target)) variables.add(target);
          for (const variable of own.get(other)!.variables) variables.add(variable);
        }
        grown ||= variables.size > before;
      }
    }
    const found = new Map<Edge, Changed>();
    for (const [site, { variables, objects }] of own) {
      const changedVariables = [...variables].filter((variable) => !variable.temporary || this.isRead(variable, site));
      const changesAny = changedVariables.length + objects.size > 0;
      if ([...objects].some(({ ctype }) => isAggregate(ctype))) return undefined;
      if (this.mayLeaveScope(site)) return undefined;
      if (changesAny && !this.isLast(site) && this.reachable(site, 'through').has(site.from)) return undefined;
      found.set(site, { changedVariables, changedObjects: [...objects] });
    }
    return found;
  }

  /** A jump to here leads to what the last time has remembered: each time the same place is written. */
  private isLast(site: Edge): boolean {
    const place = staticPlaceOf(site);
    return (place && this.holders.has(place)) || placeOf(site).some((object) => !this.exposed.has(object));
  }

  /** Locations that may follow the call, also by jumps within the function; or before that call happens once more. */
  private reachable(site: Edge, how: 'through' | 'up to'): ReadonlySet<Location> {
    const found = new Set([site.to]);
    for (const location of found)
      for (const edge of location.edges) {
        if (edge !== site || how === 'through') found.add(edge.to);
        if (this.endings.includes(edge)) for (const { to } of this.sites) found.add(to);
      }
    return found;
  }

  /** Locations from which a jump may follow; before the call happens once more, if that ends it. */
  private beforeJumps(site: Edge): ReadonlySet<Location> {
    const found = new Set(this.endings.map(({ from }) => from));
    const isCut = this.isLast(site);
    for (let size = -1; size !== found.size;) {
      size = found.size;
      for (const edge of this.fn.edges) if (found.has(edge.to) && !(isCut && edge === site)) found.add(edge.from);
    }
    return found;
  }

  private between(site: Edge): readonly Edge[] {
    const isCut = this.isLast(site);
    const after = this.reachable(site, isCut ? 'up to' : 'through');
    const before = this.beforeJumps(site);
    return this.fn.edges.filter((edge) => after.has(edge.from) && before.has(edge.to) && !(isCut && edge === site));
  }

  /** The calls of `setjmp` to which a jump may lead on the way to one that leads to this. */
  private jumpedTo(site: Edge): readonly Edge[] {
    const after = this.reachable(site, this.isLast(site) ? 'up to' : 'through');
    const before = this.beforeJumps(site);
    if (!this.endings.some(({ from }) => after.has(from))) return [];
    return this.sites.filter((other) => other !== site && before.has(other.to));
  }

  /** A jump may lead back into a block that has ended, with variables of its own. Objects end there. */
  private mayLeaveScope(site: Edge): boolean {
    const after = this.reachable(site, this.isLast(site) ? 'up to' : 'through');
    const scopes = this.fn.variables.flatMap(({ visible }) => (visible && contains(visible, site.span) ? visible : []));
    return this.endings.some(({ from, span }) => after.has(from) && scopes.some((scope) => !contains(scope, span)));
  }

  /** The variable may be read after the jump as it is then. */
  private isRead(variable: Variable, site: Edge): boolean {
    const found = new Set([site.to]);
    for (const location of found) {
      if (location === this.fn.exit && variable === this.fn.resultVariable) return true;
      for (const edge of location.edges) {
        if (expressionsOf(edge.command).some((e) => variablesIn(e).has(variable))) return true;
        if (targetOf(edge.command) !== variable) found.add(edge.to);
        if (this.endings.includes(edge))
          for (const { command, to } of this.sites) if (targetOf(command) !== variable) found.add(to);
      }
    }
    return false;
  }
}

const contains = (scope: Span, { file, start }: Span): boolean =>
  file.path === scope.file.path && scope.start <= start && start < scope.end;

const isKeptNowhere = ({ scope, ctype }: Variable): boolean => scope === 'local' && ctype?.volatile !== true;

/** Automatic objects that a call of `setjmp` may write, as far as it names them. */
const placesIn = ({ command }: Edge): FrameObject[] => objectsIn((command as ExternalCommand).arguments[0]!);

const isVolatile = ({ ctype }: FrameObject): boolean =>
  ctype.volatile === true || (ctype.kind === 'array' && ctype.of.volatile === true);

/** Objects whose address is more than the place of a direct access, or of a call of `setjmp` or `longjmp`. */
function exposedObjects(fn: FunctionDefinition): ReadonlySet<FrameObject> {
  const found = new Set<FrameObject>();
  const look = (e: Expression): void => {
    if (e.kind === 'load' && e.address.kind === 'address') return;
    if (e.kind === 'load' && e.address.kind === 'offset' && e.address.pointer.kind === 'address')
      return look(e.address.delta);
    if (e.kind === 'address' && e.of.kind === 'frame-object') found.add(e.of);
    for (const operand of operands(e)) look(operand);
  };
  for (const { command } of fn.edges) {
    const all = expressionsOf(command);
    const isAccess = command.kind === 'store' || (command.kind === 'external' && jumpOf(command.name));
    for (const e of all) {
      const isPlace = isAccess && e === all[0];
      if (isPlace && e.kind === 'address') continue;
      if (isPlace && e.kind === 'offset' && e.pointer.kind === 'address') look(e.delta);
      else look(e);
    }
  }
  return found;
}

function objectsIn(e: Expression): FrameObject[] {
  const here = e.kind === 'address' && e.of.kind === 'frame-object' ? [e.of] : [];
  return [...here, ...operands(e).flatMap(objectsIn)];
}
