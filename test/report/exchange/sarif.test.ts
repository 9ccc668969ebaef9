import Ajv from 'ajv';
import { sarifWithoutVerdict, verdictToSarif, type SarifLog } from '../../../src/report/exchange/sarif';
import type { Verdict } from '../../../src/verdict';
import { base, bug, bugAndSpecification, everyVerdict, potentialError, proved } from '../verdicts';

/**
 * The part of SARIF 2.1.0 that we write, with the constraints of its schema (required members, value sets, lower
 * bounds).
 */
const message = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const location = {
  type: 'object',
  properties: {
    physicalLocation: {
      type: 'object',
      required: ['artifactLocation'],
      properties: {
        artifactLocation: {
          type: 'object',
          required: ['uri'],
          properties: { uri: { type: 'string', pattern: '^[!-~]+$' }, uriBaseId: { type: 'string' } },
        },
        region: {
          type: 'object',
          properties: { startLine: { type: 'integer', minimum: 1 }, startColumn: { type: 'integer', minimum: 1 } },
        },
      },
    },
    logicalLocations: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, kind: { type: 'string' } } },
    },
    message,
  },
};
const sarif = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: {
                  rules: { type: 'array', uniqueItems: true, items: { type: 'object', required: ['id'] } },
                },
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          invocations: {
            type: 'array',
            items: {
              type: 'object',
              required: ['executionSuccessful'],
              properties: { executionSuccessful: { type: 'boolean' } },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              properties: {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: -1 },
                kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
                level: { enum: ['none', 'note', 'warning', 'error'] },
                message,
                locations: { type: 'array', items: location },
                partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
                stacks: { type: 'array', uniqueItems: true, items: { type: 'object', required: ['frames'] } },
                codeFlows: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['threadFlows'],
                    properties: {
                      threadFlows: {
                        type: 'array',
                        minItems: 1,
                        items: {
                          type: 'object',
                          required: ['locations'],
                          properties: {
                            locations: {
                              type: 'array',
                              minItems: 1,
                              items: { type: 'object', properties: { location } },
                            },
                          },
                        },
                      },
                    },
                  },
                },
              },
              /** A level other than none belongs to the kind `fail`. */
              if: { properties: { kind: { not: { const: 'fail' } } } },
              then: { properties: { level: { const: 'none' } } },
            },
          },
        },
      },
    },
  },
};
const validate = new Ajv({ strictTypes: false }).compile(sarif);
const context = { version: '1.2.3', base, files: [`${base}/stack.c`] };

function check(log: SarifLog): SarifLog['runs'][0] {
  expect({ valid: validate(JSON.parse(JSON.stringify(log))), errors: validate.errors }).toEqual({
    valid: true,
    errors: null,
  });
  const [run] = log.runs;
  for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex]!.id).toBe(result.ruleId);
  return run;
}

test.each(everyVerdict.map((verdict) => [verdict.kind, verdict] as const))('%s is valid', (_, verdict) => {
  check(verdictToSarif(verdict, context));
});

test('only a proof has no results, and only fails have a level', () => {
  const seen = everyVerdict.map((verdict) =>
    check(verdictToSarif(verdict, context)).results.map(({ kind, level }) => `${kind} ${level}`),
  );
  expect(seen).toEqual([
    [],
    ['fail error'],
    ['fail warning', 'fail warning'],
    ['open none'],
    ['open none'],
    ['open none'],
  ]);
  expect(
    everyVerdict.map((verdict) => check(verdictToSarif(verdict, context)).invocations[0].executionSuccessful),
  ).toEqual([true, true, true, false, false, true]);
  expect(check(sarifWithoutVerdict('the proof has not ended', context))).toMatchObject({
    results: [{ kind: 'open' }],
    invocations: [{ executionSuccessful: false }],
  });
});

test('what a specification excuses is for review', () => {
  const [error, excused] = check(verdictToSarif(bugAndSpecification, context)).results;
  expect(error).toMatchObject({ kind: 'fail', level: 'error' });
  expect(excused).toMatchObject({
    kind: 'review',
    level: 'none',
    message: { text: 'null pointer dereference: s; none of clients that keep to push: s != NULL' },
  });
});

test('a bug carries its place, the calls, and the stack', () => {
  const [result] = check(verdictToSarif(bug, context)).results;
  expect(result).toMatchObject({
    ruleId: 'array-bounds',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'stack.c', uriBaseId: '%SRCROOT%' },
          region: { startLine: 14, startColumn: 5 },
        },
        logicalLocations: [{ name: 'push' }],
      },
    ],
    stacks: [{ frames: [{}, { location: { physicalLocation: { region: { startLine: 30 } } } }] }],
  });
  expect(result!.codeFlows![0]!.threadFlows[0].locations.map(({ location: { message } }) => message!.text)).toEqual([
    'init(2)',
    'items = a new int[2] holding {1, 2}',
    'pop() returns 9223372036854775807',
    'push(items)',
    'index -1 is outside elems[8]',
  ]);
});

test('a flow stays below a thousand locations and keeps the end', () => {
  const steps = Array.from({ length: 5000 }, (_, i) => ({ kind: 'input', function: 'nondet', value: i }) as const);
  const [result] = check(verdictToSarif({ ...bug, counterexample: { ...bug.counterexample, steps } }, context)).results;
  const { locations } = result!.codeFlows![0]!.threadFlows[0];
  expect(locations.length).toBe(999);
  expect(locations.at(-2)!.location.message!.text).toBe('nondet() gives 4999');
});

test('a fingerprint survives a line inserted above, and nothing else', () => {
  const fingerprint = (verdict: Verdict) =>
    check(verdictToSarif(verdict, context)).results[0]!.partialFingerprints!['provest/v1'];
  const moved = (change: object) => ({
    ...bug,
    counterexample: { ...bug.counterexample, failure: { ...bug.counterexample.failure, ...change } },
  });
  const { place } = bug.counterexample.failure;
  expect(
    fingerprint(
      moved({
        place: { ...place, line: 15 },
        codeFrame: '  14 | {\n> 15 |   elems[size] = k;\n     |   ^^^^^^^^^^^\n  16 | }',
      }),
    ),
  ).toBe(fingerprint(bug));
  const others = [
    moved({ check: 'dereference' }),
    moved({ place: { ...place, function: 'pop' } }),
    moved({ place: { ...place, file: `${base}/queue.c` } }),
    moved({ codeFrame: '> 14 |   elems[other] = k;' }),
  ];
  expect(new Set([bug, ...others].map(fingerprint)).size).toBe(5);
});

test('files elsewhere and names with blanks are still URIs', () => {
  const elsewhere = {
    ...potentialError,
    errors: potentialError.errors.map((e) => ({
      ...e,
      failure: { ...e.failure, place: { ...e.failure.place, file: '/else where/x.c' } },
    })),
  };
  check(verdictToSarif(elsewhere, context));
  check(sarifWithoutVerdict('x', { ...context, files: [`${base}/a b/c#d.c`] }));
  expect(check(verdictToSarif(proved, context)).properties).toMatchObject({
    verdict: 'proved',
    assumptions: proved.assumptions,
  });
});
