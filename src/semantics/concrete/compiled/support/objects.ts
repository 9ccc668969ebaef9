/**
 * Objects that code makes and ends by itself, without the host: a number, a region of linear memory, an entry in the
 * table, contents. Nothing else is written down. The host makes a block of it when one is asked for
 * (`ConcreteMemory.recall`).
 *
 * The law: numbers, contents, sites and the order of deaths are those that `ConcreteMemory` would have chosen. Where
 * that needs more than is here (no room, too much memory, a number that only the host knows), the answer is 0 before
 * anything has changed, and the host does it.
 */
import type { DataModel } from '../../../../c/types';
import { poolTail } from '../../random';
import type { LinearLayout } from '../layout';
import type { Define } from '../wasm';
import { emitKill } from './endObject';
import { emitMake } from './makeObject';

export interface ObjectSupport {
  /** (site, bytes, properties): a live object with indeterminate contents, or 0. */
  readonly make: number;
  /** The same with all bytes zero. */
  readonly makeZeroed: number;
  /** (object): ends its life, if it has not ended. */
  readonly kill: number;
  /** By size: functions for automatic objects, whose size is known when code is written. */
  readonly automatic: ReadonlyMap<number, AutomaticSupport>;
}

export interface AutomaticSupport {
  /** (site): a live object with indeterminate contents, or 0. */
  readonly make: number;
  /** (object of this size, if it is code's own): ends its life, if it has not ended. */
  readonly kill: number;
}

/** Sizes with functions of their own, in one module. */
const mostSizes = 24;

export function objectFunctions(
  layout: LinearLayout,
  model: DataModel,
  sizes: readonly number[],
  hostKill: number,
  define: Define,
): ObjectSupport {
  const make = (contents: 'zero' | 'indeterminate') =>
    define({ parameters: ['i32', 'i32', 'i32'], result: 'i32' }, (code) =>
      emitMake(
        code,
        layout,
        { model, contents },
        () => code.get(0),
        (type) => code.local(type),
      ),
    );
  return {
    make: make('indeterminate'),
    makeZeroed: make('zero'),
    kill: define({ parameters: ['i32'], result: undefined }, (code) =>
      emitKill(code, layout, hostKill, { object: 0, locals: (type) => code.local(type) }),
    ),
    automatic: new Map(
      sizes
        .filter((size) => size > 0 && size <= poolTail)
        .slice(0, mostSizes)
        .map((size) => [
          size,
          {
            make: define({ parameters: ['i32'], result: 'i32' }, (code) =>
              emitMake(
                code,
                layout,
                { model, contents: 'indeterminate', fixed: size },
                () => code.get(0),
                (type) => code.local(type),
              ),
            ),
            kill: define({ parameters: ['i32'], result: undefined }, (code) =>
              emitKill(code, layout, hostKill, { object: 0, fixed: size, locals: (type) => code.local(type) }),
            ),
          },
        ]),
    ),
  };
}
