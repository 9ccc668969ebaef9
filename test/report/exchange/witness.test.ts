import Ajv from 'ajv';
import { parse } from 'yaml';
import { leftOutOfWitness, verdictToWitness } from '../../../src/report';
import type { Verdict } from '../../../src/verdict';
import { base, bug, notEvaluated, potentialError, proved, unknown } from '../verdicts';

/**
 * The format 2.0 as it is described in the paper and used by its authors' own examples, as far as a schema can say it.
 */
const location = {
  type: 'object',
  required: ['file_name', 'line'],
  additionalProperties: false,
  properties: {
    file_name: { type: 'string' },
    line: { type: 'integer', minimum: 1 },
    column: { type: 'integer', minimum: 1 },
    function: { type: 'string' },
  },
};
/** What a waypoint of this type requires of what holds there. */
function constraintOf(type: string, properties: Readonly<Record<string, object>>): object {
  return {
    if: { properties: { type: { const: type } } },
    then: {
      required: ['constraint'],
      properties: {
        constraint: { type: 'object', required: Object.keys(properties), additionalProperties: false, properties },
      },
    },
  };
}
const schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['entry_type', 'metadata', 'content'],
    properties: {
      entry_type: { enum: ['invariant_set', 'violation_sequence'] },
      metadata: {
        type: 'object',
        required: ['format_version', 'uuid', 'creation_time', 'producer', 'task'],
        properties: {
          format_version: { const: '2.0' },
          uuid: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' },
          creation_time: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' },
          producer: { type: 'object', required: ['name', 'version'] },
          task: {
            type: 'object',
            required: ['input_files', 'input_file_hashes', 'specification', 'data_model', 'language'],
            properties: {
              input_files: { type: 'array', minItems: 1, items: { type: 'string' } },
              input_file_hashes: {
                type: 'object',
                additionalProperties: { type: 'string', pattern: '^[0-9a-f]{64}$' },
              },
              data_model: { enum: ['LP64', 'ILP32'] },
              language: { const: 'C' },
            },
          },
        },
      },
    },
    if: { properties: { entry_type: { const: 'invariant_set' } } },
    then: {
      properties: {
        content: {
          type: 'array',
          items: {
            type: 'object',
            required: ['invariant'],
            additionalProperties: false,
            properties: {
              invariant: {
                type: 'object',
                required: ['type', 'location', 'value', 'format'],
                properties: {
                  type: { enum: ['loop_invariant', 'location_invariant'] },
                  location,
                  value: { type: 'string' },
                  format: { const: 'c_expression' },
                },
              },
            },
          },
        },
      },
    },
    else: {
      properties: {
        content: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['segment'],
            properties: {
              segment: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'object',
                  required: ['waypoint'],
                  additionalProperties: false,
                  properties: {
                    waypoint: {
                      type: 'object',
                      required: ['type', 'location', 'action'],
                      additionalProperties: false,
                      properties: {
                        type: { enum: ['assumption', 'branching', 'function_enter', 'function_return', 'target'] },
                        action: { enum: ['follow', 'avoid'] },
                        location,
                        constraint: { type: 'object' },
                      },
                      allOf: [
                        constraintOf('function_return', {
                          value: { type: 'string', pattern: '^\\\\result (==|!=|<=?|>=?) -?\\d+$' },
                          format: { const: 'acsl_expression' },
                        }),
                        constraintOf('assumption', { value: { type: 'string' }, format: { const: 'c_expression' } }),
                        constraintOf('branching', { value: { enum: ['true', 'false'] } }),
                        {
                          if: { properties: { type: { enum: ['function_enter', 'target'] } } },
                          then: { not: { required: ['constraint'] } },
                        },
                      ],
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
const validate = new Ajv({ strictTypes: false }).compile(schema);
const context = {
  version: '1.2.3',
  base,
  files: [`${base}/stack.c`],
  sources: ['int main(void) { return 0; }\n'],
  entry: 'main',
  dataModel: 'lp64',
  time: new Date('2030-01-02T03:04:05.678Z'),
} as const;

function check(verdict: Verdict): { readonly metadata: object; readonly content: readonly object[] } {
  const document: unknown = parse(verdictToWitness(verdict, context));
  expect({ valid: validate(document), errors: validate.errors }).toEqual({ valid: true, errors: null });
  const [entry] = document as [
    {
      entry_type: string;
      metadata: { task: { input_files: string[]; input_file_hashes: object } };
      content: Segment[];
    },
  ];
  expect(Object.keys(entry.metadata.task.input_file_hashes)).toEqual(entry.metadata.task.input_files);
  if (entry.entry_type === 'violation_sequence')
    expectSequence(entry.content.map(({ segment }) => segment.map(({ waypoint }) => waypoint)));
  return entry;
}

interface Segment {
  readonly segment: readonly { readonly waypoint: { readonly type: string; readonly action: string } }[];
}

/**
 * What a schema cannot say: of each segment the last waypoint is followed and no other, and the target is the very
 * last.
 */
function expectSequence(segments: readonly (readonly { readonly type: string; readonly action: string }[])[]): void {
  for (const waypoints of segments)
    expect(waypoints.map(({ action }) => action)).toEqual([...waypoints.slice(1).map(() => 'avoid'), 'follow']);
  const types = segments.flat().map(({ type }) => type);
  expect(types.indexOf('target')).toBe(types.length - 1);
}

test('a proof becomes a set of loop invariants', () => {
  expect(check(proved)).toMatchObject({
    entry_type: 'invariant_set',
    metadata: {
      creation_time: '2030-01-02T03:04:05Z',
      task: {
        input_files: ['stack.c'],
        data_model: 'LP64',
        specification: expect.stringContaining(
          'CHECK( init(main()), LTL(G ! call(reach_error())) )\nCHECK( init(main()), LTL(G valid-free) )',
        ) as string,
      },
    },
    content: [
      {
        invariant: {
          type: 'loop_invariant',
          location: { file_name: 'stack.c', line: 12, column: 3, function: 'push' },
          value: 'index <= size',
        },
      },
    ],
  });
});

test('only plain C is exported', () => {
  const place = { file: `${base}/stack.c`, line: 12, column: 3 };
  const formulas = [
    'i <= n && a[i] == -1',
    'p->next == 0 || (x & 7u) != 0',
    'x > 0 ? y : z.w',
    'forall k < n: a[k] > 0',
    'valid(p)',
    'live (p)',
    '(next makes no ring)',
    'list == NULL || (list leads to a live struct node)',
    'for every struct node *_object: _object->value <= 7',
    'x > 0 ==> y > 0',
    'x ≤ 3',
    'int::x',
    'a; b',
  ];
  const invariants = formulas.map((formula) => ({ place, at: 'loop' as const, formula }));
  expect(check({ ...proved, invariants }).content).toMatchObject(
    formulas.slice(0, 3).map((value) => ({ invariant: { value } })),
  );
  expect(check({ ...proved, invariants }).content.length).toBe(3);
  const partly = check({
    ...proved,
    invariants: [{ place, at: 'loop', formula: 'i <= n && offset_of(p) == 0 && (x > 0 || is_live(p)) && x != 3' }],
  });
  expect(partly.content).toMatchObject([{ invariant: { value: 'i <= n && x != 3' } }]);
});

test('a proof of what the format has no name for is no witness', () => {
  expect(parse(verdictToWitness({ ...proved, properties: ['uninitialised', 'aliasing'] }, context))).toEqual([]);
});

test('what is left out of a proof is told, by loop', () => {
  const place = { file: `${base}/stack.c`, line: 1, column: 1 };
  const sources = ['while (x) x--; do x--; while (x);\n'];
  const said = (formula: string, column = 1) =>
    leftOutOfWitness(
      { ...proved, invariants: [{ place: { ...place, column }, at: 'loop', formula }] },
      { ...context, sources },
    ).map(({ formulas, of, loop }) => ({ formulas, of, loop }));
  expect(said('i <= n && x != 3')).toEqual([]);
  expect(said('i <= n && is_live(p) && x != 3')).toEqual([
    { formulas: ['is_live(p)'], of: 3, loop: 'begins with its condition' },
  ]);
  expect(said('i <= n', 7)).toEqual([{ formulas: ['i <= n'], of: 1, loop: 'no statement' }]);
  // It holds before the body, and the format asks for what holds behind it.
  expect(said('i <= n', 16)).toEqual([{ formulas: ['i <= n'], of: 1, loop: 'do' }]);
  expect(said('i <= n', 1)).toEqual([]);
  expect(leftOutOfWitness(bug, context)).toEqual([]);
});

test('a bug becomes a sequence that ends at the failing check, for the property it violates', () => {
  expect(check(bug)).toMatchObject({
    entry_type: 'violation_sequence',
    metadata: { task: { specification: expect.not.stringContaining('reach_error') as string } },
    content: [
      {
        segment: [
          { waypoint: { type: 'target', action: 'follow', location: { line: 14, column: 5, function: 'push' } } },
        ],
      },
    ],
  });
});

test('what the environment answered stands before the target, in the order of the calls', () => {
  const input = (value: number | bigint, line: number) =>
    ({
      kind: 'input',
      function: 'nondet',
      value,
      place: { file: `${base}/stack.c`, line, column: 18, function: 'main' },
    }) as const;
  const { content } = check({
    ...bug,
    counterexample: { ...bug.counterexample, steps: [input(7, 3), input(-9223372036854775808n, 4)] },
  });
  expect(content.slice(0, -1)).toMatchObject(
    [
      ['\\result == 7', 3],
      ['\\result == -9223372036854775808', 4],
    ].map(([value, line]) => ({
      segment: [{ waypoint: { type: 'function_return', location: { line }, constraint: { value } } }],
    })),
  );
});

test('the schema can say no', () => {
  const [document] = parse(verdictToWitness(bug, context)) as [{ content: Segment[] }];
  const waypoint = document.content[0]!.segment[0]!.waypoint;
  for (const changed of [
    { ...waypoint, constraint: { value: 'x == 1' } },
    { ...waypoint, type: 'function_return' },
    { ...waypoint, type: 'function_return', constraint: { value: '\\result == 1', format: 'c_expression' } },
  ]) {
    expect(validate([{ ...document, content: [{ segment: [{ waypoint: changed }] }] }])).toBe(false);
  }
});

test('nothing else has a witness', () => {
  expect([potentialError, unknown, notEvaluated].map((verdict) => verdictToWitness(verdict, context))).toEqual([
    '[]\n',
    '[]\n',
    '[]\n',
  ]);
});

test('the same verdict on the same text has the same id, another has another', () => {
  const id = (verdict: Verdict, source: string = context.sources[0]) =>
    /uuid: (.*)/.exec(verdictToWitness(verdict, { ...context, sources: [source] }))![1];
  expect(id(proved)).toBe(id(proved));
  expect(new Set([id(proved), id(bug), id(proved, 'int x;')]).size).toBe(3);
});
