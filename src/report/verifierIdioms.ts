/** Functions that programs for verifiers call and leave to the verifier to define. */
export interface VerifierIdiom {
  readonly name: string;
  readonly parameters: string;
  /** A condition of C: `fails` at the error, `ends` at the end of executions that do not count. */
  readonly fails?: string;
  readonly ends?: string;
}

const assertion = (name: string, parameters = 'int condition', fails = '!condition'): VerifierIdiom => ({
  name,
  parameters,
  fails,
});

export const verifierIdioms: readonly VerifierIdiom[] = [
  ...['reach_error', '__VERIFIER_error', 'error'].map((name) => assertion(name, 'void', '1')),
  ...['assert', 'sassert', '__VERIFIER_assert', '__ESBMC_assert'].map((name) => assertion(name)),
  assertion('__CPROVER_assert', 'int condition, const char *text'),
  assertion('__VERIFIER_assert_not', 'int condition', 'condition'),
  ...['__VERIFIER_assert_if', 'sea_assert_if'].map((name) =>
    assertion(name, 'int condition, int then', 'condition && !then'),
  ),
  ...['assume', '__VERIFIER_assume', '__CPROVER_assume', '__ESBMC_assume', '__SEA_assume'].map((name) => ({
    name,
    parameters: 'int condition',
    ends: '!condition',
  })),
];

/** Called in the text and not defined there. */
export function idiomsLeftOpen(text: string): readonly VerifierIdiom[] {
  return verifierIdioms.filter(({ name }) => isCalled(name, text) && !isDefined(name, text));
}

const isCalled = (name: string, text: string): boolean => new RegExp(`\\b${name}\\s*\\(`).test(text);
const isDefined = (name: string, text: string): boolean =>
  new RegExp(
    `\\b${name}\\s*\\([^;{}]*\\)\\s*\\{|#\\s*define\\s+${name}\\b${name === 'assert' ? '|<assert\\.h>' : ''}`,
  ).test(text);
