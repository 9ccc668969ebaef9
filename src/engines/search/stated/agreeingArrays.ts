/**
 * Arrays that agree with the numbers beside them: as a precondition says, or as all calls of the tests do. Of the
 * latter most clients are drawn so, and some are not.
 */
import type { JoinedArguments } from '../../../abstraction/predicates/joinedArguments';
import type { CType } from '../../../c/types';
import type { Argument } from '../../../evidence/scenarios/scenario';
import type { FunctionDefinition } from '../../../program/program';
import type { ConcreteValue } from '../../../semantics/concrete/concreteValues';
import type { Plain } from '../../../verdict';
import { numberAt } from '../../preconditions/lengthAttempts';
import type { CountPlace, LikelyPreconditions } from '../../preconditions/likelyPreconditions';
import { joinObjects } from './joinedObjects';
import type { StatedLength } from './statedLengths';

export const arrayLimits = {
  /** Elements of any array that a client makes. */
  longest: 5000,
  /** Elements of such an array that are arbitrary. */
  randomElements: 64,
} as const;

const limits = {
  /** One in so many calls need not resemble those of tests. */
  onceUnlikely: 4,
} as const;

/** Numbers drawn from 0 to before the bound, from two sources, and any value of a type. */
export interface Drawing {
  readonly below: (bound: number) => number;
  readonly beside: (bound: number) => number;
  readonly plain: (type: CType) => Plain;
}

/**
 * The array is mostly as long as the number says; a number that no array can have becomes the array's. Half of the
 * arrays of characters end with a 0: they may be passed on as texts, but need not be texts here.
 */
export function agree(
  given: Argument[],
  { array, count, elements }: StatedLength,
  { below, beside, plain }: Drawing,
): void {
  const object = given[array]!;
  if (object.kind !== 'object' || object.type.kind !== 'array') return;
  const stated = elements(given.map((one) => (one.kind === 'scalar' ? integral(one.value) : undefined)));
  if (stated === undefined) return;
  const said = Number(stated);
  const { of, length: before = 0 } = object.type;
  const isPossible = said >= 0 && said <= arrayLimits.longest;
  const length = isPossible ? Math.max(1, said) : before;
  const number = count === undefined ? undefined : given[count];
  if (!isPossible && number?.kind === 'scalar')
    given[count!] = { kind: 'scalar', value: typeof number.value === 'bigint' ? BigInt(length) : length };
  if (isPossible && said <= before && below(4) === 0) return;
  const known = Array.isArray(object.contents) ? object.contents.slice(0, isByte(of) ? before - 1 : before) : [];
  const isText = of.kind === 'integer' && of.name === 'char' && beside(2) === 0;
  const contents = Array.from({ length }, (_, i) => {
    if (isText && i === length - 1) return 0;
    return i < known.length ? known[i]! : i < arrayLimits.randomElements ? plain(of) : i % 100;
  });
  given[array] = { ...object, type: { ...object.type, length }, contents };
}

/** Arrays as long as tests pass them, and places in one object where tests pass such. */
export function resembleTests(
  given: Argument[],
  fn: FunctionDefinition,
  likely: LikelyPreconditions,
  mayJoin: boolean,
  call: number,
  drawing: Drawing,
): void {
  if (drawing.beside(limits.onceUnlikely) === 0) return;
  for (const [at, least] of likely.leastOf(fn)) given[at] = atLeast(given[at]!, least, drawing);
  for (const { pointer, count, more } of likely.lengthsOf(fn)) {
    if (count.isBehind) {
      const [object, number] = [given[pointer]!, given[count.parameter]!];
      const length = object.kind === 'object' && object.type.kind === 'array' ? object.type.length : undefined;
      const place = length === undefined ? undefined : numberAt(number, fn.parameters[count.parameter]!.type);
      if (place && place.now + BigInt(more) > BigInt(length!))
        given[count.parameter] = place.with(BigInt(Math.max(0, length! - more)));
      continue;
    }
    const elements: StatedLength['elements'] = (values) => {
      const said = values[count.parameter];
      return said === undefined ? undefined : said + BigInt(more);
    };
    agree(given, { array: pointer, count: count.parameter, elements }, drawing);
  }
  const path = ({ parameter, isBehind }: CountPlace): JoinedArguments['left'] => ({
    kind: 'path',
    variable: fn.parameters[parameter]!.name,
    steps: isBehind ? [{ kind: 'dereference' }] : [],
  });
  for (const { first, second } of mayJoin ? likely.joinedOf(fn) : [])
    joinObjects(given, fn, { left: path(first), right: path(second) }, call, drawing.beside);
}

function atLeast(object: Argument, least: number, { plain }: Drawing): Argument {
  if (object.kind !== 'object' || object.type.kind !== 'array' || (object.type.length ?? 0) >= least) return object;
  if (least > arrayLimits.longest) return object;
  const known = Array.isArray(object.contents) ? (object.contents as readonly Plain[]) : [];
  const { of } = object.type;
  const contents = Array.from({ length: least }, (_, i) =>
    i < known.length ? known[i]! : isByte(of) ? 0 : i < arrayLimits.randomElements ? plain(of) : i % 100,
  );
  return { ...object, type: { ...object.type, length: least }, contents };
}

const integral = (value: ConcreteValue): bigint | undefined =>
  typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : undefined;

export const isByte = (type: CType): boolean => type.kind === 'integer' && type.widthBits === 8;
