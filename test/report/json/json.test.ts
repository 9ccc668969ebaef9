import Ajv from 'ajv';
import fc from 'fast-check';
import { SourceFile } from '../../../src/c/source';
import { allProperties, propertyOf } from '../../../src/program/command';
import { errorToJson, relativeTo, verdictToJson } from '../../../src/report';
import schema from '../../../src/report/json/verdict.schema.json';
import type { Plain, Verdict } from '../../../src/verdict';
import { base, bug, conditional, everyVerdict, potentialError, proved } from '../verdicts';

const validate = new Ajv({ allErrors: true, strictTypes: false }).compile(schema);
const context = { version: '1.2.3', base, files: [`${base}/stack.c`] };

/** What a reader of the output gets: text, then data again. Fails when it is not valid against the schema. */
function check(verdict: Verdict): Record<string, unknown> {
  const read: unknown = JSON.parse(JSON.stringify(verdictToJson(verdict, 'module', context)));
  expect({ valid: validate(read), errors: validate.errors }).toEqual({ valid: true, errors: null });
  return read as Record<string, unknown>;
}

test.each(everyVerdict.map((verdict) => [verdict.kind, verdict] as const))(
  '%s is valid against the schema',
  (kind, verdict) => {
    expect(check(verdict)).toMatchObject({
      verdict: kind,
      property: 'reach,memsafety,overflow,div-by-zero',
      files: ['stack.c'],
      mode: 'module',
    });
  },
);

test('the evidence arrives: steps, stack, state, invariants', () => {
  expect(check(bug)).toMatchObject({
    reason: null,
    counterexample: {
      failure: { check: 'array-bounds', place: { file: 'stack.c', line: 14, column: 5, function: 'push' } },
      steps: [
        { function: 'init' },
        { kind: 'allocate', value: [1, 2] },
        { result: '9223372036854775807' },
        { arguments: [{ kind: 'object', name: 'items' }] },
      ],
      stack: [{ line: 14 }, { line: 30 }],
    },
  });
  expect(check(potentialError)).toMatchObject({
    reason: { cause: 'probe-too-weak' },
    errors: [{ state: [{ name: 'size', value: '-1' }, {}] }, { suggestion: null }],
  });
  expect(check(proved)).toMatchObject({
    invariants: [{ at: 'loop' }, { at: 'module', formula: '0 <= size && size <= max' }],
    adequacy: { covered: 14, missing: [{}] },
  });
});

test('a specification that was not judged names the branch that it may make impossible', () => {
  const { specifications } = conditional.angelic;
  const place = { file: `${base}/stack.c`, line: 7, column: 3, function: 'push' };
  const undecided = { place, condition: 'n > limit', outcome: true };
  const angelic = { specifications: specifications.map((one) => ({ ...one, undecided })), refused: [null] };
  expect(check({ ...conditional, angelic })).toMatchObject({
    angelic: { specifications: [{ undecided: { ...undecided, place: { ...place, file: 'stack.c' } } }] },
  });
});

test('any C value survives the way through text', () => {
  const { plain } = fc.letrec<{ plain: Plain }>((tie) => ({
    plain: fc.oneof(
      { depthSize: 'small' },
      fc.bigInt(),
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('plain'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('plain'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(plain, (value) => {
      const steps = [{ kind: 'input', function: 'nondet', value }] as const;
      check({ ...bug, counterexample: { ...bug.counterexample, steps } });
    }),
  );
});

test('an error in the C text carries its places', () => {
  const file = new SourceFile(`${base}/stack.c`, 'int x;\nint f( {\n');
  const report = errorToJson(
    {
      cause: 'bad-input',
      message: 'stack.c cannot be read',
      diagnostics: [
        {
          severity: 'error',
          message: 'expected a parameter',
          span: { file, start: 14, end: 15 },
          hint: 'close the parenthesis',
        },
        { severity: 'error', message: 'no place' },
      ],
    },
    context,
  );
  expect({ valid: validate(report), errors: validate.errors }).toEqual({ valid: true, errors: null });
  expect(report).toMatchObject({
    verdict: 'error',
    reason: { cause: 'bad-input' },
    diagnostics: [{ place: { file: 'stack.c', line: 2, column: 8 } }, {}],
  });
});

test('the schema refuses verdicts without their evidence', () => {
  const good = verdictToJson(bug, 'module', context);
  const refused = [
    { ...good, counterexample: null },
    { ...good, verdict: 'proved' },
    { ...good, verdict: 'maybe' },
    { ...good, schemaVersion: 2 },
    { ...good, statistics: null },
    { ...good, surprise: 1 },
    { ...verdictToJson(potentialError, 'module', context), errors: [] },
    { ...verdictToJson(proved, 'module', context), verdict: 'unknown' },
  ];
  expect(refused.map((value) => validate(value))).toEqual(refused.map(() => false));
});

test('the schema knows every property and every kind of check', () => {
  expect(schema.definitions.property.enum).toEqual(allProperties);
  expect([...schema.definitions.checkKind.enum].sort()).toEqual(Object.keys(propertyOf).sort());
});

test('files below the base are relative, others stay', () => {
  expect(['/project/a/b.c', '/projects/b.c', '/b.c', 'b.c', '/project'].map((file) => relativeTo(base, file))).toEqual([
    'a/b.c',
    '/projects/b.c',
    '/b.c',
    'b.c',
    '/project',
  ]);
});
