import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { findField } from '../../src/c/elaborate/records';
import { alignOf, sizeOf } from '../../src/c/layout';
import { readCText } from '../../src/c/read';
import type { TranslationUnit } from '../../src/c/tree';
import type { DataModel, Field, RecordType } from '../../src/c/types';
import { compileAndRun, testWithCompiler } from './compiler';

/** "size/align name@byte name@byte:bit+width…" of `struct s`. */
function layout(text: string, dataModel: DataModel): string {
  const type = readCText(text, 'input.c', { dataModel }).units[0]!.tags.get('struct s') as RecordType;
  const fields = type.record.fields.map(
    (f) =>
      `${f.name ?? '?'}@${f.offsetBytes}${
        f.bits ? `:${f.bits.offset}+${f.bits.width}${f.bits.unitBytes === undefined ? '' : `/${f.bits.unitBytes}`}` : ''
      }`,
  );
  return [`${type.record.sizeBytes}/${type.record.alignBytes}`, ...fields].join(' ');
}
function check(text: string, expected: string, dataModel: DataModel = 'lp64'): void {
  expect(layout(text, dataModel)).toBe(expected);
}

test('members, padding, packing, alignment', () => {
  check('struct s { char a; int b; char c; };', '12/4 a@0 b@4 c@8');
  check('struct s { char a; double b; long long c; void *d; };', '32/8 a@0 b@8 c@16 d@24');
  check('struct s { char a; double b; long long c; void *d; };', '24/4 a@0 b@4 c@12 d@20', 'ilp32');
  check('struct __attribute__((packed)) s { char a; int b; };', '5/1 a@0 b@1');
  check('struct s { char a; int b __attribute__((packed)); _Alignas(16) char c; };', '32/16 a@0 b@1 c@16');
  check('struct s { char a; } __attribute__((aligned(8)));', '8/8 a@0');
  check('struct s { char a; struct { int b; char c; }; char d[]; };', '12/4 a@0 ?@4 d@12');
  check('struct s {};', '0/1');
});

test('bit-fields', () => {
  check(
    'struct s { int a : 3; int b : 5; char c; int d : 20; int e : 10; };',
    '8/4 a@0:0+3 b@0:3+5 c@1 d@4:0+20 e@4:20+10',
  );
  check('struct s { char c; int a : 7; int : 0; int b : 1; };', '8/4 c@0 a@0:8+7 b@4:0+1');
  check('struct s { long long a : 40; int b : 20; int c : 8; };', '16/8 a@0:0+40 b@4:8+20 c@8:0+8');
  check('struct s { long long a : 10; };', '4/4 a@0:0+10/2', 'ilp32');
  check('struct __attribute__((packed)) s { int a : 7; int b : 20; char c; };', '5/1 a@0:0+7 b@0:7+20 c@4');
});

test('members of anonymous members count from the outermost record', () => {
  const { units } = readCText(
    'struct s { int a; union { struct { char b; int c : 4; }; const struct { int d; }; }; };',
  );
  const { record } = units[0]!.tags.get('struct s') as RecordType;
  const place = (f: Field | undefined): string =>
    `${f!.offsetBytes} ${f!.bits?.offset ?? '-'} ${Boolean(f!.type.const)}`;
  expect(['a', 'b', 'c', 'd'].map((name) => place(findField(record, name)))).toEqual([
    '0 - false',
    '4 - false',
    '4 8 false',
    '4 - true',
  ]);
});

interface Member {
  readonly type: string;
  readonly width: number | undefined;
  readonly array: number | undefined;
  readonly named: boolean;
  readonly attribute: string;
}
const bits: Readonly<Record<string, number>> = {
  char: 8,
  'unsigned char': 8,
  short: 16,
  int: 32,
  unsigned: 32,
  long: 64,
  'long long': 64,
  _Bool: 1,
};
const member: fc.Arbitrary<Member> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      'char',
      'short',
      'int',
      'long',
      'long long',
      'float',
      'double',
      'void *',
      '_Bool',
      'struct inner',
    ),
    width: fc.constant(undefined),
    array: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    named: fc.constant(true),
    attribute: fc.constantFrom('', '', '', ' __attribute__((packed))', ' __attribute__((aligned(8)))'),
  }),
  fc.constantFrom(...Object.keys(bits)).chain((type) =>
    fc.record({
      type: fc.constant(type),
      width: fc.integer({ min: 0, max: bits[type]! }),
      array: fc.constant(undefined),
      named: fc.boolean(),
      attribute: fc.constantFrom('', '', '', ' __attribute__((packed))'),
    }),
  ),
);
const record = fc.record({
  keyword: fc.constantFrom('struct', 'struct', 'union'),
  packed: fc.constantFrom('', '', '', '__attribute__((packed)) '),
  members: fc.array(member, { minLength: 1, maxLength: 7 }),
});

const declaration = (
  { keyword, packed, members }: { keyword: string; packed: string; members: readonly Member[] },
  name: string,
): string =>
  `${keyword} ${packed}${name} { ${members
    .map(
      (m, i) =>
        `${m.type} ${m.named && m.width !== 0 ? `m${i}` : ''}${m.array === undefined ? '' : `[${m.array}]`}` +
        `${m.width === undefined ? '' : ` : ${m.width}`}${m.attribute};`,
    )
    .join(' ')} };`;
const inner = 'struct inner { char a; long b; };';

/** What GCC says of `size`, `align` and every member; of bit-fields, the bytes that all ones leave. */
testWithCompiler('random records are laid out as the compiler lays them out', () => {
  const records = fc.sample(record, { numRuns: 400, seed: 11 }).map(({ keyword, packed, members }, r) => ({
    name: `${keyword} r${r}`,
    members: members.map((m, i) => ({ ...m, name: m.named && m.width !== 0 ? `m${i}` : undefined })),
    text: declaration({ keyword, packed, members }, `r${r}`),
  }));
  const print = records.map(({ name, members }) => {
    const lines = members
      .filter((m) => m.name !== undefined)
      .map((m) =>
        m.width === undefined
          ? `printf(" ${m.name}@%d", (int)__builtin_offsetof(${name}, ${m.name}));`
          : `memset(&x, 0, sizeof x); x.${m.name} = -1; printf(" ${m.name}="); ` +
            'for (int i = 0; i < sizeof x; i++) printf("%02x", ((unsigned char *)&x)[i]);',
      );
    return `{ ${name} x; printf("%d/%d", (int)sizeof x, (int)_Alignof(${name})); ${lines.join(' ')} puts(""); }`;
  });
  const { status, output } = compileAndRun({
    'main.c':
      `#include <stdio.h>\n#include <string.h>\n${inner}\n${records.map((r) => r.text).join('\n')}\n` +
      `int main(void) { ${print.join('\n')} return 0; }`,
  });
  expect(status === 0 ? '' : output).toBe('');
  const lines = output.trimEnd().split('\n');
  let compared = 0;
  records.forEach(({ name, members, text }, i) => {
    const unit = read(`${inner}\n${text}`, 'lp64');
    if (!unit) return;
    compared++;
    const type = unit.tags.get(name) as RecordType;
    const ours = [`${sizeOf(type, 'lp64')!}/${alignOf(type, 'lp64')}`];
    for (const m of members)
      if (m.name !== undefined) ours.push(`${m.name}${place(findField(type.record, m.name)!, type.record.sizeBytes)}`);
    expect(`${text} ${ours.join(' ')}`).toBe(`${text} ${lines[i]!}`);
  });
  expect(compared).toBeGreaterThan(350);
});

/** Undefined for the one layout that is not supported. */
function read(text: string, dataModel: DataModel): TranslationUnit | undefined {
  try {
    return readCText(text, 'input.c', { dataModel }).units[0]!;
  } catch (error) {
    expect(String(error)).toContain('crosses more bytes than one access can read');
    return undefined;
  }
}

testWithCompiler('and in 32 bits, as far as sizes, alignments and offsets tell', () => {
  if (spawnSync('cc', ['-m32', '-fsyntax-only', '-x', 'c', '-'], { input: 'int x;' }).status !== 0)
    return console.warn('SKIPPED, for cc has no 32-bit mode');
  const claims = fc
    .sample(
      record.filter((shape) => shape.members.every((m) => m.type !== 'long' || (m.width ?? 0) <= 32)),
      { numRuns: 400, seed: 13 },
    )
    .flatMap((shape, r) => {
      const text = declaration(shape, `r${r}`);
      const unit = read(`${inner}\n${text}`, 'ilp32');
      if (!unit) return [];
      const type = unit.tags.get(`${shape.keyword} r${r}`) as RecordType;
      const offsets = type.record.fields
        .filter((f) => !f.bits)
        .map((f) => `__builtin_offsetof(${shape.keyword} r${r}, ${f.name!}) == ${f.offsetBytes}`);
      return `${text} _Static_assert(${[
        `sizeof(${shape.keyword} r${r}) == ${type.record.sizeBytes}`,
        `_Alignof(${shape.keyword} r${r}) == ${type.record.alignBytes}`,
        ...offsets,
      ].join(' && ')}, "");`;
    });
  const { status, stderr } = spawnSync('cc', ['-m32', '-std=gnu11', '-w', '-fsyntax-only', '-x', 'c', '-'], {
    input: `${inner}\n${claims.join('\n')}`,
    encoding: 'utf8',
  });
  expect(status === 0 ? '' : stderr).toBe('');
  expect(claims.length).toBeGreaterThan(300);
});

function place(field: Field, sizeBytes: number): string {
  if (!field.bits) return `@${field.offsetBytes}`;
  const unitBytes = field.bits.unitBytes ?? sizeOf(field.type, 'lp64')!;
  expect(field.offsetBytes).toBeGreaterThanOrEqual(0);
  expect(field.offsetBytes + unitBytes).toBeLessThanOrEqual(sizeBytes);
  expect(field.bits.offset + field.bits.width).toBeLessThanOrEqual(unitBytes * 8);
  const ones = ((1n << BigInt(field.bits.width)) - 1n) << BigInt(field.offsetBytes * 8 + field.bits.offset);
  return `=${Buffer.from(ones.toString(16).padStart(sizeBytes * 2, '0'), 'hex')
    .reverse()
    .toString('hex')}`;
}
