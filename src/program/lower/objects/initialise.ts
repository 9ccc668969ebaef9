/** Initialisers of automatic objects: zeros if C requires them, then the strings, then the items in order. */
import type { Span } from '../../../c/source';
import type { Initializer } from '../../../c/tree';
import { addressOf, convert, integer, isConstant } from '../../build';
import type { Expression, FrameObject } from '../../expression';
import { int64, int8, uint8 } from '../../expression';
import { memoryPlace, moved, objectAddress, pointerOf, type LvalueAddress } from './address';
import { hasEffect, type FunctionLowering, type Moment } from '../context';
import { inEitherOrder } from '../order/eitherOrder';
import { isAggregate, scalarOf, sizeOf } from './layout';
import { copyAggregate, lowerAggregate } from './aggregate';
import { lowerValue, storePlace } from '../value';

/** Longer strings are copied from an object of their own instead of being stored byte by byte. */
const longestInlineString = 16;

export function initialise(f: FunctionLowering, object: FrameObject, initializer: Initializer, span: Span): void {
  const whole = coversAll(f, initializer, object.sizeBytes);
  if (!whole && object.sizeBytes > 0)
    f.emit(
      { kind: 'fill', target: addressOf(object), byte: integer(0, uint8), size: integer(object.sizeBytes, int64) },
      span,
    );
  const at = (offsetBytes: number): LvalueAddress => {
    const address = objectAddress(object);
    return moved(address, offsetBytes);
  };
  for (const { offsetBytes, bytes } of initializer.strings) {
    if (bytes.length > longestInlineString) {
      const text = f.program.stringObject(
        bytes,
        { kind: 'array', of: { kind: 'integer', name: 'char', widthBits: 8, signed: true }, length: bytes.length },
        span,
      );
      f.emit(
        {
          kind: 'copy',
          target: pointerOf(at(offsetBytes)),
          source: addressOf(text),
          size: integer(bytes.length, int64),
        },
        span,
      );
    } else {
      bytes.forEach((byte, i) => {
        if (byte !== 0 || whole)
          f.emit(
            { kind: 'store', address: pointerOf(at(offsetBytes + i)), type: int8, value: integer(byte, int8) },
            span,
          );
      });
    }
  }
  const overlapping = overlaps(f, initializer);
  const draw = (items: Initializer['items']): void => {
    const start = f.moment();
    const noted: { readonly values: readonly Expression[]; readonly end: Moment; readonly uninterrupted: true }[] = [];
    let effects = false;
    for (const { offsetBytes, field, type, value } of items) {
      const address = at(offsetBytes);
      const before = f.moment();
      if (isAggregate(type)) {
        const lowered = lowerAggregate(f, value);
        effects ||= f.draft.drawnSince(before).some(({ command }) => hasEffect(command));
        copyAggregate(f, address, lowered, sizeOf(type, f.model), value.span);
      } else {
        const lowered = convert(lowerValue(f, value), scalarOf(type));
        effects ||= f.draft.drawnSince(before).some(({ command }) => hasEffect(command));
        const implied = !whole && !field?.bits && isZero(lowered) && !overlapping;
        if (!implied) storePlace(f, { ...memoryPlace(address, type), field }, lowered, value.span, value.span);
      }
      noted.push({ values: [], end: f.moment(), uninterrupted: true });
    }
    if (noted.length > 1 && effects) f.noteUnordered(span, start, noted);
  };
  // The items of a list are evaluated in any order, but not interleaved (6.7.9p23). Each is stored in bytes of its own.
  const { items } = initializer;
  if (items.length < 2 || isWrittenTwice(f, initializer)) return draw(items);
  inEitherOrder(
    f,
    span,
    items.map(({ value }) => value),
    (order) => {
      draw(order === 'left first' ? items : [...items].reverse());
      return [];
    },
  );
}

function isZero(e: ReturnType<typeof lowerValue>): boolean {
  return isConstant(e, 0) || e.kind === 'null' || (e.kind === 'float' && Object.is(e.value, 0));
}

/** True if parts of the list may write the same bytes. A zero among them is then not implied. */
const overlaps = (f: FunctionLowering, initializer: Initializer): boolean =>
  initializer.strings.length > 0 ||
  initializer.items.some((item) => isAggregate(item.type)) ||
  isWrittenTwice(f, initializer);

/** Items write the same bytes: a later one replaces a part of an earlier one. Bit-fields keep what is beside them. */
function isWrittenTwice(f: FunctionLowering, { items }: Initializer): boolean {
  const ranges = items
    .filter(({ field }) => !field?.bits)
    .map(({ offsetBytes, type }) => ({ start: offsetBytes, end: offsetBytes + sizeOf(type, f.model) }))
    .sort((a, b) => a.start - b.start);
  return ranges.some(({ end }, k) => k + 1 < ranges.length && end > ranges[k + 1]!.start);
}

function coversAll(f: FunctionLowering, initializer: Initializer, sizeBytes: number): boolean {
  if (sizeBytes > 4096) return false;
  const covered = new Uint8Array(sizeBytes);
  for (const { offsetBytes, bytes } of initializer.strings) covered.fill(1, offsetBytes, offsetBytes + bytes.length);
  for (const { offsetBytes, field, type } of initializer.items)
    if (!field?.bits) covered.fill(1, offsetBytes, offsetBytes + sizeOf(type, f.model));
  return covered.every((byte) => byte === 1);
}
