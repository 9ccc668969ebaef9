/** A logged operation of a test as the steps a test author would write. */
import type { HostValue, Operation } from '../host/operation';
import type { ClientStep, ClientValue, Plain } from '../verdict';

export function stepsOf(operation: Operation, run: readonly Operation[]): ClientStep[] {
  switch (operation.kind) {
    case 'call': return [{ kind: 'call', function: operation.function, arguments: operation.arguments.map((value) => clientValue(value)) }];
    case 'allocate': {
      const index = run.filter((other) => other.kind === 'allocate').indexOf(operation);
      return [{ kind: 'allocate', name: nameOf(index), type: operation.type, value: integersOf(operation.type, operation.bytes) }];
    }
    case 'write': case 'poke': return [];
  }
}

const nameOf = (index: number): string => `object${index + 1}`;

function clientValue(value: HostValue): ClientValue {
  if ('integer' in value) {
    const number = BigInt(value.integer);
    const plain = number >= -(1n << 31n) && number < 1n << 32n ? Number(number) : number;
    return { kind: 'value', value: plain };
  }
  if ('float' in value) return { kind: 'value', value: Number(value.float) };
  if ('allocation' in value) return { kind: 'object', name: nameOf(value.allocation) };
  return { kind: 'value', value: null };
}

/** The contents of an array of integers; anything else is left to its type's zero. */
function integersOf(type: string, hex: string): Plain | undefined {
  const match = /^((?:un)?signed )?(char|short|int|long)\s*\[(\d+)\]$/.exec(type);
  if (!match || hex === '') return undefined;
  const size = { char: 1, short: 2, int: 4, long: 8 }[match[2] as 'char' | 'short' | 'int' | 'long'];
  const bytes = Buffer.from(hex, 'hex');
  return Array.from({ length: Number(match[3]) }, (_, i) => {
    if (size === 8) return match[1] === 'unsigned ' ? bytes.readBigUInt64LE(8 * i) : bytes.readBigInt64LE(8 * i);
    return match[1] === 'unsigned ' ? bytes.readUIntLE(size * i, size) : bytes.readIntLE(size * i, size);
  });
}
