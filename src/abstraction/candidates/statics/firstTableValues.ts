/**
 * Bounds of the members of a table's elements, and orders of two members in each, as the program begins with them: of
 * limits that nothing writes, and of values that functions keep within them. Each is judged like any candidate.
 */
import type { Term } from '../../../logic/term';
import { maximum, minimum, sameScalar } from '../../../program/build';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type ElementBound, boundOfEach, orderInEach, staticNumbers, type StaticNumber } from './elementsByNumber';

const limits = {
  members: 12,
  elements: 1024,
  orders: 8,
} as const;

/** The same at every control point of a module; none for a program. */
export function firstTableValues(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  if (!system.client) return new Map();
  const members = staticNumbers(system)
    .filter(({ object, count, strideBytes, type }) => {
      const isOfStructure = strideBytes * 8 > type.widthBits;
      return isOfStructure && count <= limits.elements && object.bytes.length > 0;
    })
    .slice(0, limits.members);
  const values = new Map(members.map((member) => [member, valuesOf(member)]));
  const bounds = members.flatMap((member) =>
    endsOf(member, values.get(member)!).flatMap((bound) => boundOfEach(member, bound, system)),
  );
  const orders = members.flatMap((less) =>
    members
      .filter((more) => more !== less && more.object === less.object && sameScalar(more.type, less.type))
      .filter((more) => isOrdered(values.get(less)!, values.get(more)!))
      .flatMap((more) => orderInEach(less, more, system)),
  );
  const all = [...bounds, ...orders.slice(0, limits.orders)];
  return new Map(all.length === 0 ? [] : system.points.map((point) => [point, all]));
}

/** The numbers that the elements begin with. */
function valuesOf({ object: { bytes }, offsetBytes, strideBytes, count, type, row }: StaticNumber): readonly bigint[] {
  const columns = row?.count ?? 1;
  return Array.from({ length: count * columns }, (_, i) => {
    const place = Math.floor(i / columns) * strideBytes + offsetBytes + (i % columns) * (row?.strideBytes ?? 0);
    let value = 0n;
    for (let byte = type.widthBits / 8 - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(bytes[place + byte] ?? 0);
    return type.signed ? BigInt.asIntN(type.widthBits, value) : value;
  });
}

function endsOf({ type }: StaticNumber, values: readonly bigint[]): readonly ElementBound[] {
  const [low, high] = values.reduce(([l, h], v) => [v < l ? v : l, v > h ? v : h], [values[0]!, values[0]!] as const);
  return [
    ...(low > minimum(type) ? [{ side: 'least', value: low } as const] : []),
    ...(high < maximum(type) ? [{ side: 'most', value: high } as const] : []),
  ];
}

const isOrdered = (less: readonly bigint[], more: readonly bigint[]): boolean =>
  less.every((value, i) => value <= more[i]!) && less.some((value, i) => value < more[i]!);
