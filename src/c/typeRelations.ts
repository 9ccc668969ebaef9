/** Compatible and composite types, C11 6.2.7. */
import { integerOf, isInteger, pointerTo, withoutQualifiers } from './target';
import type { VariableSymbol } from './tree';
import type { ArrayType, CType, FunctionType } from './types';
import { unreachable } from '../unreachable';

/** Hidden variables that hold the lengths of arrays have names that begin so. */
export const lengthPrefix = '<length of ';

/** Same type with the same qualifiers, or different only in what one of them leaves open. */
export function compatible(a: CType, b: CType): boolean {
  if (a === b) return true;
  if (a.kind !== 'array' && (Boolean(a.const) !== Boolean(b.const) || Boolean(a.volatile) !== Boolean(b.volatile)))
    return false;
  return compatibleUnqualified(a, b);
}

/** Compatible when the outermost qualifiers are ignored. */
export function compatibleUnqualified(a: CType, b: CType): boolean {
  if (a === b) return true;
  if (isInteger(a) && isInteger(b)) {
    if (a.kind === 'enum' && b.kind === 'enum') return a.constants === b.constants;
    return integerOf(a).name === integerOf(b).name;
  }
  switch (a.kind) {
    case 'void':
      return b.kind === 'void';
    case 'integer':
    case 'enum':
      return false;
    case 'float':
      return b.kind === 'float' && a.name === b.name;
    case 'pointer':
      return b.kind === 'pointer' && compatible(a.to, b.to);
    case 'array':
      return (
        b.kind === 'array' &&
        compatible(a.of, b.of) &&
        (a.length === undefined || b.length === undefined || a.length === b.length)
      );
    case 'record':
      return b.kind === 'record' && a.record === b.record;
    case 'function':
      return b.kind === 'function' && compatibleFunctions(a, b);
    default:
      return unreachable(a);
  }
}

function compatibleFunctions(a: FunctionType, b: FunctionType): boolean {
  if (!compatibleUnqualified(a.result, b.result)) return false;
  if (a.unprototyped && b.unprototyped) return true;
  if (a.unprototyped) return acceptsPromoted(b);
  if (b.unprototyped) return acceptsPromoted(a);
  return (
    a.variadic === b.variadic &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((p, i) => compatibleUnqualified(p.type, b.parameters[i]!.type))
  );
}

/** A prototype agrees with `f()` only if the default argument promotions leave its parameters alone. */
function acceptsPromoted(f: FunctionType): boolean {
  return (
    !f.variadic &&
    f.parameters.every(
      ({ type }) =>
        !(isInteger(type) && integerOf(type).widthBits < 32) && !(type.kind === 'float' && type.name === 'float'),
    )
  );
}

/** Composite type of two compatible declarations. */
export function composite(a: CType, b: CType): CType {
  if (a === b) return a;
  if (a.kind === 'array' && b.kind === 'array')
    return { ...a, length: a.length ?? b.length, of: composite(a.of, b.of) };
  if (a.kind === 'function' && b.kind === 'function')
    return (a.unprototyped && !b.unprototyped) || (a.oldStyle && !b.oldStyle && !b.unprototyped)
      ? withLeastLengths(b, a)
      : withLeastLengths(a, b);
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    const to = composite(a.to, b.to);
    return to === a.to ? a : { ...a, to };
  }
  return a;
}

/** A least length counts in whichever declaration it stands. */
function withLeastLengths(f: FunctionType, other: FunctionType): FunctionType {
  if (!other.parameters.some(({ leastLength }, i) => leastLength && !f.parameters[i]?.leastLength)) return f;
  return {
    ...f,
    parameters: f.parameters.map((parameter, i) => {
      const there = other.parameters[i];
      // Lengths of one parameter are said by the names of one declaration.
      if (parameter.leastLength || !there || (parameter.elementLengths && !there.elementLengths)) return parameter;
      const { leastLength, elementLengths, namesBefore } = there;
      return {
        ...parameter,
        ...(leastLength && { leastLength }),
        ...(elementLengths && { elementLengths }),
        ...(namesBefore && { namesBefore }),
      };
    }),
  };
}

/** Parameters of array and function type are pointers (6.7.6.3p7-8). */
export function adjustedParameter(type: CType): CType {
  if (type.kind === 'array') return pointerTo(type.of);
  if (type.kind === 'function') return pointerTo(type);
  return type;
}

/**
 * Pointers to arrays whose lengths C requires to be equal (6.7.6.2p6), while one of them is known only when the program
 * runs.
 */
export function haveOtherLengths(a: CType, b: CType): boolean {
  return a.kind === 'pointer' && b.kind === 'pointer' && lengthPairs(a.to, b.to).some(([x, y]) => x !== y);
}

/** The lengths of two arrays, and of their elements: numbers, or what was computed at a declaration. */
export function lengthPairs(a: CType, b: CType): (readonly [number | VariableSymbol, number | VariableSymbol])[] {
  if (a.kind !== 'array' || b.kind !== 'array') return [];
  const [x, y] = [knownLength(a), knownLength(b)];
  return [...(x === undefined || y === undefined ? [] : [[x, y] as const]), ...lengthPairs(a.of, b.of)];
}

/** Undefined in a prototype, where the parameters have no values, and for incomplete arrays. */
export function knownLength({ length, variable }: ArrayType): number | VariableSymbol | undefined {
  if (typeof variable !== 'object') return length;
  const isComputed = variable.kind === 'load' && variable.lvalue.kind === 'variable';
  return isComputed && variable.lvalue.symbol.name.startsWith(lengthPrefix) ? variable.lvalue.symbol : undefined;
}

/** The same type apart from outermost qualifiers, so that no conversion is needed. */
export function sameUnqualified(a: CType, b: CType): boolean {
  if (a === b) return true;
  const [x, y] = [withoutQualifiers(a), withoutQualifiers(b)];
  if (x.kind !== y.kind) return false;
  if (x.kind === 'integer' && y.kind === 'integer') return x.name === y.name;
  if (x.kind === 'enum' && y.kind === 'enum') return x.constants === y.constants;
  return compatible(x, y);
}
