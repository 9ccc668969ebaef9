/** The variables in sight of one activation as text, one line each: what a debugger would show beside the source. */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import type { Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { pointerTo } from '../../semantics/concrete/concreteValues';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import type { Activation } from '../../semantics/concrete/machine';
import { decode } from '../values/decode';
import type { HostAddress } from '../layout';
import { addressOf, hostOf } from '../values/scalar';
import { blockBytes } from '../values/view';

const shownElements = 32;
const shownDepth = 4;

/** Prints one state; pointers are followed, each object at most once per variable. */
export class StatePrinter {
  private visiting = new Set<string>();
  constructor(
    private readonly program: Program,
    private readonly globals: readonly ConcreteValue[],
    private readonly memory: ConcreteMemory,
  ) {}

  /** Name and value of every global, then of the activation's own variables, as `function: name`. */
  print(activation: Activation | undefined, isSet: (slot: number) => boolean): Map<string, string> {
    const found = new Map<string, string>();
    for (const [name, { ctype, place }] of this.program.symbols) {
      found.set(
        name,
        place.kind === 'variable'
          ? this.scalar(this.globals[place.slot]!, ctype)
          : this.object({ object: place.number, offset: place.leadBytes ?? 0 }, ctype),
      );
    }
    if (!activation) return found;
    const { fn, locals, objects } = activation;
    for (const { slot, name, ctype, temporary } of fn.variables) {
      if (!temporary && ctype && isSet(slot)) found.set(`${fn.name}: ${name}`, this.scalar(locals[slot]!, ctype));
    }
    for (const { slot, name, ctype } of fn.objects) {
      if (objects[slot]) found.set(`${fn.name}: ${name}`, this.object(addressOf(objects[slot]), ctype));
    }
    return found;
  }

  private scalar(value: ConcreteValue, type: CType): string {
    this.visiting = new Set();
    return text(
      hostOf(value, type, (address, to) => this.pointee(address, to, 1)),
      type,
    );
  }

  private object(address: HostAddress, type: CType): string {
    this.visiting = new Set();
    return text(this.contents(address, type, 0), type);
  }

  private contents(address: HostAddress, type: CType, depth: number): unknown {
    const block = this.memory.block(pointerTo(address.object, address.offset));
    if (
      !block?.live ||
      type.kind === 'void' ||
      type.kind === 'function' ||
      (type.kind === 'record' && !type.record.complete)
    )
      return undefined;
    const size = sizeOf(type, this.program.dataModel);
    if (size === undefined || address.offset < 0 || address.offset + size > block.sizeBytes) return undefined;
    return decode(blockBytes(block), address.offset, type, this.program.dataModel, (inner, to) =>
      this.pointee(inner, to, depth + 1),
    );
  }

  private pointee(address: HostAddress, to: CType, depth: number): Pointee {
    const key = `${address.object}:${address.offset}`;
    const named =
      this.program.objects[address.object - 1]?.name ??
      this.program.functions.find((fn) => fn.number === address.object)?.name;
    if (named !== undefined) return new Pointee(`&${named}${address.offset === 0 ? '' : ` + ${address.offset} bytes`}`);
    const name = `object ${address.object}${address.offset === 0 ? '' : ` + ${address.offset} bytes`}`;
    const block = this.memory.block(pointerTo(address.object, address.offset));
    if (!block?.live) return new Pointee(`${name} (its life has ended)`);
    if (depth > shownDepth || this.visiting.has(key)) return new Pointee(name);
    this.visiting.add(key);
    const contents = this.contents(address, to, depth);
    return new Pointee(contents === undefined ? name : `${name} → ${text(contents, to)}`);
  }
}

class Pointee {
  constructor(readonly text: string) {}
}

function text(value: unknown, type: CType | undefined): string {
  if (value === undefined) return '?';
  if (value === null) return 'NULL';
  if (value instanceof Pointee) return value.text;
  if (Array.isArray(value)) {
    const of = type?.kind === 'array' ? type.of : undefined;
    const shown = value.slice(0, shownElements).map((item) => text(item, of));
    return `[${shown.join(', ')}${value.length > shownElements ? `, … ${value.length - shownElements} more` : ''}]`;
  }
  if (typeof value === 'object')
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${name}: ${text(item, undefined)}`)
      .join(', ')} }`;
  if (type?.kind === 'enum')
    return type.constants.find((c) => c.value === BigInt(value as number))?.name ?? String(value);
  return String(value as number | bigint | boolean | string);
}
