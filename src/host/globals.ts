/**
 * The variables of a module as an object: live, nested, and writable where allowed; and the state that a probe sees.
 */
import { elementSizeOf } from '../c/layout';
import type { CType, FunctionType } from '../c/types';
import { isScalar } from '../program/lower/objects/layout';
import type { FunctionDefinition, Program } from '../program/program';
import { type ConcreteValue, pointerTo } from '../semantics/concrete/concreteValues';
import type { Machine } from '../semantics/concrete/machine';
import { calledByTest } from './callerStack';
import { sizeOf, type HostAddress } from './layout';
import { addressOf, hostOf } from './values/scalar';
import { closest } from './suggest';
import { formatType } from './typeText';
import { objectNumber, objectOffset, view, type ViewAccess } from './values/view';

export type StateView = Readonly<Record<string, unknown>>;

/**
 * Number of elements from a pointer that a probe sees to the end of the object. A member of the name `length` does not
 * hide it.
 */
export const pointeeLength: unique symbol = Symbol('length');
/** Type of what a pointer leads to that a probe sees. */
export const pointeeType: unique symbol = Symbol('type');

/** Names that printing, comparing and awaiting look for on any object. */
const askedOfAnything = new Set([
  'toJSON',
  'asymmetricMatch',
  'then',
  '$$typeof',
  'nodeType',
  '@@__IMMUTABLE_ITERABLE__@@',
  '@@__IMMUTABLE_RECORD__@@',
]);

/**
 * `write` stores a whole variable; without it the view is read-only. An unknown name is an error that says which there
 * are.
 */
export function globalsView(
  program: Program,
  module: string,
  machine: () => Machine,
  access: ViewAccess,
  write?: (name: string, value: unknown) => void,
): Record<string, unknown> {
  const { symbols } = program;
  const get = (name: string): unknown => {
    const { ctype, place } = symbols.get(name)!;
    if (place.kind === 'variable') return hostOf(machine().globals[place.slot]!, ctype, access.onPointer);
    return view(access, { object: place.number, offset: place.leadBytes ?? 0 }, ctype, `global.${name}`);
  };
  const unknown = (name: string) =>
    new TypeError(
      `${module} has no variable ` +
        `'${name}'${closest(name, symbols.keys()) || ` (it has ${[...symbols.keys()].join(', ') || 'none'})`}`,
    );
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: calledByTest((target, key, receiver): unknown => {
        if (typeof key === 'string' && symbols.has(key)) return get(key);
        if (typeof key === 'symbol' || key in target || askedOfAnything.has(key))
          return Reflect.get(target, key, receiver);
        throw unknown(key);
      }),
      set: calledByTest((_, key, value) => {
        if (!symbols.has(String(key))) throw unknown(String(key));
        if (!write) throw new TypeError(`a probe only looks at the state; it cannot write '${String(key)}'`);
        write(String(key), value);
        return true;
      }),
      has: (_, key) => typeof key === 'string' && symbols.has(key),
      ownKeys: () => [...symbols.keys()],
      getOwnPropertyDescriptor: (_, key) =>
        typeof key === 'string' && symbols.has(key)
          ? { value: get(key), writable: true, enumerable: true, configurable: true }
          : undefined,
    },
  );
}

/**
 * View of a probe: variables, hidden by the arguments of a call when given; pointers are followed by member and index,
 * and equal ones are the same object.
 */
export function stateView(
  program: Program,
  module: string,
  machine: Machine,
  call?: { readonly fn: FunctionDefinition; readonly values: readonly ConcreteValue[] },
): StateView {
  const { dataModel } = program;
  const seen = new Map<string, object>();
  const follow = (address: HostAddress, to: CType): object => {
    const key = `${address.object}:${address.offset}:${formatType(to)}`;
    let pointee = seen.get(key);
    if (!pointee) seen.set(key, (pointee = pointeeView(address, to)));
    return pointee;
  };
  const length = ({ object, offset }: HostAddress, to: CType): number | undefined => {
    const elementBytes = elementSizeOf(to, dataModel);
    const block = machine.memory.block(pointerTo(object));
    return block && elementBytes !== undefined
      ? Math.max(0, Math.floor((block.sizeBytes - offset) / elementBytes))
      : undefined;
  };
  const access: ViewAccess = { model: dataModel, memory: () => machine.memory, onPointer: follow, write: undefined };
  const pointeeView = (address: HostAddress, to: CType): object => {
    const complete = to.kind !== 'void' && to.kind !== 'function' && !(to.kind === 'record' && !to.record.complete);
    const members = complete && to.kind === 'record' ? (view(access, address, to, '*p') as object) : {};
    return new Proxy(members, {
      get(target, key, receiver) {
        if (key === pointeeType) return to;
        if (key === objectNumber) return address.object;
        if (key === objectOffset) return address.offset;
        if (key === pointeeLength || (key === 'length' && !(key in target))) return length(address, to);
        if (typeof key !== 'string' || !/^-?\d+$/.test(key)) return Reflect.get(target, key, receiver) as unknown;
        return complete
          ? view(
              access,
              { object: address.object, offset: address.offset + Number(key) * sizeOf(to, dataModel) },
              to,
              '*p',
            )
          : undefined;
      },
    });
  };
  const globals = globalsView(program, module, () => machine, access);
  if (!call) return globals;
  const args = new Map(
    (call.fn.ctype as FunctionType).parameters.map(({ name, type }, index) => {
      const value = call.values[index]!;
      return [
        name,
        isScalar(type) ? hostOf(value, type, follow) : view(access, addressOf(value), type, name ?? 'argument'),
      ];
    }),
  );
  return new Proxy(globals, {
    get: (target, key, receiver) =>
      typeof key === 'string' && args.has(key) ? args.get(key) : (Reflect.get(target, key, receiver) as unknown),
  });
}
