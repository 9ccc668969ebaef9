/**
 * The value of a character constant in a condition (C11 6.4.4.4, 6.10.1p4). Plain ones have the
 * value they have in the program: `char` is signed, several characters are packed as GCC packs them.
 */
const simpleEscapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  '0': 0,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  E: 27,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

/** A message when the constant is ill-formed. */
export function characterValue(spelling: string): { readonly value: bigint; readonly unsigned: boolean } | string {
  const match = /^(L|u|U)?'(.*)'$/su.exec(spelling)!;
  const prefix = match[1];
  const units: number[] = [];
  const element = /\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|(.)/gsu;
  for (const [, hex, octal, u4, u8, simple, plain] of match[2]!.matchAll(element)) {
    const unit = hex ?? octal;
    if (unit !== undefined) {
      const value = parseInt(unit, hex === undefined ? 8 : 16);
      if (value >= 2 ** (prefix === undefined ? 8 : prefix === 'u' ? 16 : 32))
        return `the escape sequence in ${spelling} is out of range`;
      units.push(value);
    } else if (simple !== undefined) {
      const value = simpleEscapes[simple];
      if (value === undefined) return `unknown escape sequence '\\${simple}'`;
      units.push(value);
    } else {
      const point = plain === undefined ? parseInt((u4 ?? u8)!, 16) : plain.codePointAt(0)!;
      if (prefix !== undefined) units.push(point);
      else units.push(...Buffer.from(String.fromCodePoint(point), 'utf8'));
    }
  }
  if (units.length === 0) return 'empty character constant';
  if (prefix !== undefined)
    return units.length === 1
      ? { value: prefix === 'L' ? BigInt.asIntN(32, BigInt(units[0]!)) : BigInt(units[0]!), unsigned: prefix !== 'L' }
      : `${spelling} has more than one character`;
  if (units.length > 4) return `the character constant ${spelling} is too long`;
  const packed = units.reduce((value, unit) => value * 256n + BigInt(unit), 0n);
  return { value: BigInt.asIntN(units.length === 1 ? 8 : 32, packed), unsigned: false };
}
