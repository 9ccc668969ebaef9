/** Assertions of Unity and CMocka as assertions of Jest. A table: the name says which arguments are which. */

/** A C expression as JavaScript. */
export interface Translated {
  readonly code: string;
  /** `wide`: a bigint, since C has 64 bits there. `number`: also of what is not known. */
  readonly kind: 'number' | 'wide' | 'boolean' | 'string' | 'pointer' | 'truth';
  /** A constant. */
  readonly literal?: true;
}

/** Undefined where the arguments are none that it compares in C. */
export type Assertion = (given: readonly Translated[]) => string | undefined;

const expectation = (actual: Translated, matcher: string): string => `expect(${actual.code}).${matcher};`;

/** `actual` against `expected`, with the constant written as the other side's type has it. */
function equal(expected: Translated, actual: Translated, not = ''): string {
  if (actual.kind === 'boolean' && expected.kind !== 'boolean')
    return `expect(Number(${actual.code})).${not}toBe(${expected.code});`;
  if (actual.kind === 'wide' && expected.literal) return expectation(actual, `${not}toBe(${asBigint(expected.code)})`);
  if (actual.kind === 'wide' && expected.kind !== 'wide')
    return expectation(actual, `${not}toBe(BigInt(${expected.code}))`);
  if (expected.kind === 'wide' && actual.kind !== 'wide')
    return `expect(BigInt(${actual.code})).${not}toBe(${expected.code});`;
  return expectation(
    actual,
    `${not}${actual.kind === 'pointer' || actual.kind === 'string' ? 'toEqual' : 'toBe'}(${expected.code})`,
  );
}

const asBigint = (code: string): string =>
  /^-?[\dxXa-fA-F]+$/.test(code) ? `${code}n` : code.endsWith('n') ? code : `BigInt(${code})`;

/** A bound, as the type of the other side has it. */
const bound = (limit: Translated, actual: Translated): string =>
  actual.kind === 'wide' && limit.literal ? asBigint(limit.code) : limit.code;

/** C's text behind a pointer, for a pointer that C returned. */
const text = (value: Translated): string => (value.kind === 'string' ? value.code : `${value.code}.string()`);

const truth =
  (wanted: 'toBeTruthy' | 'toBeFalsy'): Assertion =>
  ([value]) =>
    expectation(value!, `${wanted}()`);
const isNull: Assertion = ([value]) => expectation(value!, 'toBeNull()');
const isNotNull: Assertion = ([value]) => expectation(value!, 'not.toBeNull()');
/** Unity says the expected value first, CMocka the actual one. */
const expectedFirst: Assertion = ([expected, actual]) => equal(expected!, actual!);
const unequalExpectedFirst: Assertion = ([expected, actual]) => equal(expected!, actual!, 'not.');
const actualFirst: Assertion = ([actual, expected]) => equal(expected!, actual!);
const unequalActualFirst: Assertion = ([actual, expected]) => equal(expected!, actual!, 'not.');
const compare =
  (matcher: string): Assertion =>
  ([limit, actual]) =>
    expectation(actual!, `${matcher}(${bound(limit!, actual!)})`);

/** Types in the names of Unity's comparisons. Floating point is compared by Unity with a tolerance: see below. */
const integerTypes = [
  '',
  '_INT',
  '_INT8',
  '_INT16',
  '_INT32',
  '_INT64',
  '_UINT',
  '_UINT8',
  '_UINT16',
  '_UINT32',
  '_UINT64',
  '_HEX',
  '_HEX8',
  '_HEX16',
  '_HEX32',
  '_HEX64',
  '_CHAR',
  '_size_t',
];
const forTypes = (name: string, make: Assertion): readonly (readonly [string, Assertion, number])[] =>
  integerTypes.map((type) => [`TEST_ASSERT_${name}${type}`, make, name === 'INT_WITHIN' ? 3 : 2] as const);

/**
 * Elements in the memory behind both pointers, read with the type that the name says, as Unity does. The length may be
 * any number; undefined for what is no pointer.
 */
function elements(type: string, [expected, actual, length]: readonly Translated[]): string | undefined {
  if (expected?.kind !== 'pointer' || actual?.kind !== 'pointer' || expected.literal || actual.literal)
    return undefined;
  const read = ({ code }: Translated): string => `${code}.as('${type}').read(${length!.code})`;
  return `expect(${read(actual)}).toEqual(${read(expected)});`;
}

const elementTypes: readonly (readonly [string, string])[] = [
  ['INT', 'int'],
  ['INT8', 'signed char'],
  ['INT16', 'short'],
  ['INT32', 'int'],
  ['INT64', 'long long'],
  ['UINT', 'unsigned int'],
  ['UINT8', 'unsigned char'],
  ['UINT16', 'unsigned short'],
  ['UINT32', 'unsigned int'],
  ['UINT64', 'unsigned long long'],
  ['HEX', 'unsigned int'],
  ['HEX8', 'unsigned char'],
  ['HEX16', 'unsigned short'],
  ['HEX32', 'unsigned int'],
  ['HEX64', 'unsigned long long'],
  ['CHAR', 'char'],
];
const arrays: readonly (readonly [string, Assertion, number])[] = elementTypes.map(([name, type]) => [
  `TEST_ASSERT_EQUAL_${name}_ARRAY`,
  (given) => elements(type, given),
  3,
]);

const unity: readonly (readonly [string, Assertion, number])[] = [
  ['TEST_ASSERT', truth('toBeTruthy'), 1],
  ['TEST_ASSERT_TRUE', truth('toBeTruthy'), 1],
  ['TEST_ASSERT_UNLESS', truth('toBeFalsy'), 1],
  ['TEST_ASSERT_FALSE', truth('toBeFalsy'), 1],
  ['TEST_ASSERT_NULL', isNull, 1],
  ['TEST_ASSERT_NOT_NULL', isNotNull, 1],
  ['TEST_ASSERT_EQUAL_PTR', expectedFirst, 2],
  ['TEST_ASSERT_EQUAL_STRING', ([expected, actual]) => `expect(${text(actual!)}).toBe(${text(expected!)});`, 2],
  ...forTypes('EQUAL', expectedFirst),
  ...forTypes('NOT_EQUAL', unequalExpectedFirst),
  ...forTypes('GREATER_THAN', compare('toBeGreaterThan')),
  ...forTypes('LESS_THAN', compare('toBeLessThan')),
  ...forTypes('GREATER_OR_EQUAL', compare('toBeGreaterThanOrEqual')),
  ...forTypes('LESS_OR_EQUAL', compare('toBeLessThanOrEqual')),
  ['TEST_ASSERT_EQUAL_FLOAT', ([expected, actual]) => expectation(actual!, `toBeCloseTo(${expected!.code})`), 2],
  ['TEST_ASSERT_EQUAL_DOUBLE', ([expected, actual]) => expectation(actual!, `toBeCloseTo(${expected!.code})`), 2],
  ...[
    'INT',
    'INT8',
    'INT16',
    'INT32',
    'UINT',
    'UINT8',
    'UINT16',
    'UINT32',
    'HEX',
    'HEX8',
    'HEX16',
    'HEX32',
    'FLOAT',
    'DOUBLE',
  ].map(
    (type) =>
      [
        `TEST_ASSERT_${type}_WITHIN`,
        ([delta, expected, actual]: readonly Translated[]) =>
          `expect(Math.abs(${actual!.code} - ${expected!.code})).toBeLessThanOrEqual(${delta!.code});`,
        3,
      ] as const,
  ),
  ['TEST_ASSERT_BITS_HIGH', ([mask, actual]) => `expect(${actual!.code} & ${mask!.code}).toBe(${mask!.code});`, 2],
  ['TEST_ASSERT_BITS_LOW', ([mask, actual]) => `expect(${actual!.code} & ${mask!.code}).toBe(0);`, 2],
  ...arrays,
  ['TEST_ASSERT_EQUAL_MEMORY', (given) => elements('unsigned char', given), 3],
  ['TEST_FAIL', () => "throw new Error('TEST_FAIL');", 0],
  ['TEST_PASS', () => 'return;', 0],
];

const cmocka: readonly (readonly [string, Assertion, number])[] = [
  ['assert_true', truth('toBeTruthy'), 1],
  ['assert_false', truth('toBeFalsy'), 1],
  ['assert_null', isNull, 1],
  ['assert_non_null', isNotNull, 1],
  ['assert_ptr_equal', actualFirst, 2],
  ['assert_ptr_not_equal', unequalActualFirst, 2],
  ['assert_int_equal', actualFirst, 2],
  ['assert_uint_equal', actualFirst, 2],
  ['assert_int_not_equal', unequalActualFirst, 2],
  ['assert_uint_not_equal', unequalActualFirst, 2],
  ['assert_string_equal', ([actual, expected]) => `expect(${text(actual!)}).toBe(${text(expected!)});`, 2],
  ['assert_string_not_equal', ([actual, expected]) => `expect(${text(actual!)}).not.toBe(${text(expected!)});`, 2],
  [
    'assert_in_range',
    ([actual, low, high]) =>
      // A call is made once.
      `{\n  const actual_ = ${actual!.code};\n  expect(actual_).toBeGreaterThanOrEqual(${bound(low!, actual!)});\n` +
      `  expect(actual_).toBeLessThanOrEqual(${bound(high!, actual!)});\n}`,
    3,
  ],
  ['assert_memory_equal', (given) => elements('unsigned char', given), 3],
  ['expect_assert_failure', ([call]) => `expect(() => ${call!.code}).toThrow();`, 1],
  ['fail', () => "throw new Error('fail()');", 0],
];

export interface KnownAssertion {
  readonly translate: Assertion;
  /** Number of arguments; `_MESSAGE` adds one, which Jest has no place for. */
  readonly arity: number;
}

const all = new Map(
  [...unity, ...cmocka].map(([name, translate, arity]): [string, KnownAssertion] => [name, { translate, arity }]),
);

/** Undefined for a name that is no assertion. */
export function assertionOf(name: string): KnownAssertion | undefined {
  return all.get(name) ?? all.get(name.replace(/_MESSAGE$/, ''));
}

/** True for a name that looks like an assertion or a control of one of the frameworks. */
export const isFrameworkName = (name: string): boolean =>
  /^(TEST_|UNITY_|assert_|mock_|expect_|will_return|check_expected|RUN_TEST|cmocka_|skip$)/.test(name);

/**
 * Text in place of the frameworks' headers: macros that define functions do so, and assertions stay calls, which are
 * read from the tree.
 */
export const frameworkHeader = `
#define TEST_GROUP(g) struct provest_group_##g
#define TEST_SETUP(g) void setUp(void)
#define TEST_TEAR_DOWN(g) void tearDown(void)
#define TEST_GROUP_RUNNER(g) void provest_runner_##g(void)
#define TEST(g, n) void test_##g##_##n(void)
#define IGNORE_TEST(g, n) void ignored_##g##_##n(void)
#define RUN_TEST_CASE(g, n)
#define TEST_CASE(...)
#define TEST_RANGE(...)
#define TEST_FILE(...)
#define TEST_SOURCE_FILE(...)
#define CMOCKA_PRINTF_ATTRIBUTE(...)
#define CMOCKA_NORETURN
`;

/** Headers of the frameworks, by the end of their paths. */
export const frameworkHeaders = [
  'unity.h',
  'unity_fixture.h',
  'unity_internals.h',
  'cmocka.h',
  'cmockery.h',
  'ceedling.h',
];
