/**
 * WebAssembly as bytes: an assembler for function bodies and the sections of a module (WebAssembly Core Specification
 * 2.0, chapter 5). It knows nothing of C. All that goes in are numbers; no text of a program reaches a module, whose
 * imports and exports are named by us.
 */

export type WasmType = 'i32' | 'i64' | 'f32' | 'f64';
const typeCode: Readonly<Record<WasmType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c };

export interface Signature {
  readonly parameters: readonly WasmType[];
  readonly result: WasmType | undefined;
}

/** Opcodes without immediates. */
export const op = {
  unreachable: 0x00,
  return: 0x0f,
  drop: 0x1a,
  select: 0x1b,
  i32eqz: 0x45,
  i32eq: 0x46,
  i32ne: 0x47,
  i32ltS: 0x48,
  i32ltU: 0x49,
  i32gtS: 0x4a,
  i32gtU: 0x4b,
  i32leS: 0x4c,
  i32leU: 0x4d,
  i32geS: 0x4e,
  i32geU: 0x4f,
  i64eqz: 0x50,
  i64eq: 0x51,
  i64ne: 0x52,
  i64ltS: 0x53,
  i64ltU: 0x54,
  i64gtS: 0x55,
  i64gtU: 0x56,
  i64leS: 0x57,
  i64leU: 0x58,
  i64geS: 0x59,
  i64geU: 0x5a,
  f32eq: 0x5b,
  f32ne: 0x5c,
  f32lt: 0x5d,
  f32le: 0x5f,
  f64eq: 0x61,
  f64ne: 0x62,
  f64lt: 0x63,
  f64gt: 0x64,
  f64le: 0x65,
  i32clz: 0x67,
  i64ctz: 0x7a,
  i32add: 0x6a,
  i32sub: 0x6b,
  i32mul: 0x6c,
  i32divS: 0x6d,
  i32divU: 0x6e,
  i32remS: 0x6f,
  i32remU: 0x70,
  i32and: 0x71,
  i32or: 0x72,
  i32xor: 0x73,
  i32shl: 0x74,
  i32shrS: 0x75,
  i32shrU: 0x76,
  i32rotl: 0x77,
  i64add: 0x7c,
  i64sub: 0x7d,
  i64mul: 0x7e,
  i64divS: 0x7f,
  i64divU: 0x80,
  i64remS: 0x81,
  i64remU: 0x82,
  i64and: 0x83,
  i64or: 0x84,
  i64xor: 0x85,
  i64shl: 0x86,
  i64shrS: 0x87,
  i64shrU: 0x88,
  f32neg: 0x8c,
  f32add: 0x92,
  f32sub: 0x93,
  f32mul: 0x94,
  f32div: 0x95,
  f64abs: 0x99,
  f64neg: 0x9a,
  f64add: 0xa0,
  f64sub: 0xa1,
  f64mul: 0xa2,
  f64div: 0xa3,
  i32wrap: 0xa7,
  i64extendS: 0xac,
  i64extendU: 0xad,
  f32convertI32S: 0xb2,
  f32convertI32U: 0xb3,
  f32convertI64S: 0xb4,
  f32convertI64U: 0xb5,
  f32demote: 0xb6,
  f64convertI32S: 0xb7,
  f64convertI32U: 0xb8,
  f64convertI64S: 0xb9,
  f64convertI64U: 0xba,
  f64promote: 0xbb,
  i32extend8S: 0xc0,
  i32extend16S: 0xc1,
  i64extend32S: 0xc4,
} as const;

/** Opcodes of accesses, with the alignment (as a power of two) that is claimed: none. */
export const access = {
  i32load: 0x28,
  i64load: 0x29,
  f32load: 0x2a,
  f64load: 0x2b,
  i32load8S: 0x2c,
  i32load8U: 0x2d,
  i32load16S: 0x2e,
  i32load16U: 0x2f,
  i64load32S: 0x34,
  i64load8U: 0x31,
  i64load32U: 0x35,
  i32store: 0x36,
  i64store: 0x37,
  f32store: 0x38,
  f64store: 0x39,
  i32store8: 0x3a,
  i32store16: 0x3b,
} as const;

export class ByteWriter {
  private buffer = new Uint8Array(256);
  length = 0;

  byte(value: number): void {
    if (this.length === this.buffer.length) this.reserve(1);
    this.buffer[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.buffer.length) this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  writeUnsigned(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  writeSigned(value: bigint): void {
    let rest = value;
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  signed32(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  get view(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(more: number): void {
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more));
    larger.set(this.view);
    this.buffer = larger;
  }
}

/** 2^64 over the golden ratio: multiplying by it spreads words (Fibonacci hashing; Knuth, TAOCP 3, 6.4). */
export const goldenRatio = 0x9e37_79b9_7f4a_7c15n;

/** Target of a branch: the nesting at which the construct was opened. */
export type BranchTarget = number;

const float = new DataView(new ArrayBuffer(8));

/**
 * A function body under construction. Locals are given out as asked; `finish` writes their declaration before the code.
 */
export class Code {
  private readonly bytes = new ByteWriter();
  private readonly locals: WasmType[] = [];
  private depth = 0;

  constructor(readonly signature: Signature) {}

  get localCount(): number {
    return this.locals.length + this.signature.parameters.length;
  }

  local(type: WasmType): number {
    this.locals.push(type);
    return this.localCount - 1;
  }

  op(code: number): void {
    this.bytes.byte(code);
  }
  get(local: number): void {
    this.bytes.byte(0x20);
    this.bytes.writeUnsigned(local);
  }
  set(local: number): void {
    this.bytes.byte(0x21);
    this.bytes.writeUnsigned(local);
  }
  tee(local: number): void {
    this.bytes.byte(0x22);
    this.bytes.writeUnsigned(local);
  }
  call(fn: number): void {
    this.bytes.byte(0x10);
    this.bytes.writeUnsigned(fn);
  }

  i32(value: number): void {
    this.bytes.byte(0x41);
    this.bytes.signed32(value);
  }
  i64(value: bigint): void {
    this.bytes.byte(0x42);
    this.bytes.writeSigned(BigInt.asIntN(64, value));
  }
  f32(value: number): void {
    this.bytes.byte(0x43);
    float.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.bytes.byte(float.getUint8(i));
  }
  f64(value: number): void {
    this.bytes.byte(0x44);
    float.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.bytes.byte(float.getUint8(i));
  }

  /** A load or store at the address on the stack plus a constant. */
  access(code: number, offset: number): void {
    this.bytes.byte(code);
    this.bytes.byte(0);
    this.bytes.writeUnsigned(offset);
  }

  /** `memory.copy` and `memory.fill`, and the saturating truncations. */
  copyMemory(): void {
    for (const byte of [0xfc, 10, 0, 0]) this.bytes.byte(byte);
  }
  fillMemory(): void {
    for (const byte of [0xfc, 11, 0]) this.bytes.byte(byte);
  }
  truncateToI64(from: 'f32' | 'f64'): void {
    this.bytes.byte(0xfc);
    this.bytes.byte(from === 'f32' ? 4 : 6);
  }

  block(result?: WasmType): BranchTarget {
    return this.open(0x02, result);
  }
  loop(): BranchTarget {
    return this.open(0x03, undefined);
  }
  if(result?: WasmType): BranchTarget {
    return this.open(0x04, result);
  }
  else(): void {
    this.bytes.byte(0x05);
  }
  end(): void {
    this.bytes.byte(0x0b);
    this.depth--;
  }
  branch(to: BranchTarget): void {
    this.bytes.byte(0x0c);
    this.bytes.writeUnsigned(this.depth - to);
  }
  branchIf(to: BranchTarget): void {
    this.bytes.byte(0x0d);
    this.bytes.writeUnsigned(this.depth - to);
  }

  finish(): Uint8Array {
    const whole = new ByteWriter();
    const runs: { type: WasmType; count: number }[] = [];
    for (const type of this.locals) {
      const last = runs[runs.length - 1];
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    whole.writeUnsigned(runs.length);
    for (const { type, count } of runs) {
      whole.writeUnsigned(count);
      whole.byte(typeCode[type]);
    }
    whole.append(this.bytes.view);
    whole.byte(0x0b);
    return whole.view;
  }

  private open(code: number, result: WasmType | undefined): BranchTarget {
    this.bytes.byte(code);
    this.bytes.byte(result ? typeCode[result] : 0x40);
    return ++this.depth;
  }
}

/** Gives locals, which may hold anything. */
export type LocalSource = (type: WasmType) => number;

/** Adds a function to a module and returns its index. */
export type Define = (signature: Signature, write: (code: Code) => void) => number;

export interface ModuleParts {
  readonly imports: readonly { readonly name: string; readonly signature: Signature }[];
  readonly memory: { readonly initialPages: number; readonly maximumPages: number };
  readonly functions: readonly {
    readonly signature: Signature;
    readonly body: Uint8Array;
    readonly exportedAs?: string;
  }[];
}

/** Functions are numbered imports first, then as listed. */
export function encodeModule({ imports, memory, functions }: ModuleParts): Uint8Array {
  const types = new Map<string, number>();
  const typeSection = new ByteWriter();
  const typeIndex = ({ parameters, result }: Signature): number => {
    const key = `${parameters.join()}:${result ?? ''}`;
    let index = types.get(key);
    if (index === undefined) {
      types.set(key, (index = types.size));
      typeSection.byte(0x60);
      typeSection.writeUnsigned(parameters.length);
      for (const parameter of parameters) typeSection.byte(typeCode[parameter]);
      typeSection.byte(result ? 1 : 0);
      if (result) typeSection.byte(typeCode[result]);
    }
    return index;
  };
  const importSection = new ByteWriter();
  importSection.writeUnsigned(imports.length + 1);
  for (const { name, signature } of imports) {
    text(importSection, 'host');
    text(importSection, name);
    importSection.byte(0);
    importSection.writeUnsigned(typeIndex(signature));
  }
  text(importSection, 'host');
  text(importSection, 'memory');
  importSection.byte(2);
  importSection.byte(3); // shared, so that growing it keeps views of it valid
  importSection.writeUnsigned(memory.initialPages);
  importSection.writeUnsigned(memory.maximumPages);
  const functionSection = new ByteWriter();
  const exportSection = new ByteWriter();
  const codeSection = new ByteWriter();
  functionSection.writeUnsigned(functions.length);
  codeSection.writeUnsigned(functions.length);
  exportSection.writeUnsigned(functions.filter(({ exportedAs }) => exportedAs !== undefined).length);
  functions.forEach(({ signature, body, exportedAs }, i) => {
    functionSection.writeUnsigned(typeIndex(signature));
    codeSection.writeUnsigned(body.length);
    codeSection.append(body);
    if (exportedAs === undefined) return;
    text(exportSection, exportedAs);
    exportSection.byte(0);
    exportSection.writeUnsigned(imports.length + i);
  });
  const allTypes = new ByteWriter();
  allTypes.writeUnsigned(types.size);
  allTypes.append(typeSection.view);
  const module = new ByteWriter();
  module.append(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  for (const [id, section] of [
    [1, allTypes],
    [2, importSection],
    [3, functionSection],
    [7, exportSection],
    [10, codeSection],
  ] as const) {
    module.byte(id);
    module.writeUnsigned(section.length);
    module.append(section.view);
  }
  return module.view;
}

function text(bytes: ByteWriter, ascii: string): void {
  bytes.writeUnsigned(ascii.length);
  for (let i = 0; i < ascii.length; i++) bytes.byte(ascii.charCodeAt(i));
}
