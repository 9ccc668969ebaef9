/** Witnesses are written, read again and confirmed; every change of one that matters is noticed. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { engines, loadProgram, verify } from '../../src';
import { ifLong, inLongForm, isLong } from '../long';
import { expectValid } from '../schemas';
import { runWith } from './fakes';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-check-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (args: readonly string[]) =>
  runWith(args, cwd, () => ({
    engines,
    loadProgram,
    verify: (task, { progress, signal }) => verify(task, { progress, signal }),
  }));

const safe = `extern int nondet(void);
extern void reach_error(void);
int main(void) {
  int n = nondet(), i = 0, twice = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    i++;
    twice += 2;
  }
  if (twice > 2000) reach_error();
  return 0;
}
`;
/** Proved at once. */
const simple = `extern int nondet(void);
extern void reach_error(void);
int main(void) {
  int i = 0;
  while (nondet()) {
    if (i < 8) i++;
  }
  if (i > 8) reach_error();
  return 0;
}
`;
/** Its loop needs to know what statics begin with. */
const statics = `extern int nondet(void);
extern void reach_error(void);
static unsigned x, table[4] = {1, 2, 3, 4};
static struct { int a, b; } pair = {1, 2};
int main(void) {
  while (nondet()) {
    if (x < 10) x++;
    table[2] = 3;
    pair.a = pair.a > 9 ? 1 : pair.a + 1;
  }
  if (x > 10 || table[2] != 3 || pair.a < 1 || pair.b != 2) reach_error();
  return 0;
}
`;
const unsafe = `extern int nondet(void);
extern void reach_error(void);
int main(void) {
  int a = nondet();
  int b = nondet();
  if (a == 41 && b == -7)
    reach_error();
  return 0;
}
`;

async function judged(
  witness: string,
  program: string,
): Promise<{ readonly code: number; readonly witness: string; readonly reason: string }> {
  writeFileSync(join(cwd, 'w.yml'), witness);
  writeFileSync(join(cwd, 'p.c'), program);
  const { code, lastLine } = await run(['check', 'w.yml', 'p.c', '--json', '--budget', '30s']);
  const json = JSON.parse(lastLine) as { witness: string; reason: string };
  expectValid('witness' in json ? 'check' : 'verdict', json);
  return { code, ...json };
}

/** By hand, as another verifier would write it. */
function proof(invariants: readonly string[], program = safe, line = 6): string {
  const hash = createHash('sha256').update(program).digest('hex');
  return `- entry_type: "invariant_set"
  metadata:
    format_version: "2.0"
    uuid: "91023a0f-9f45-4385-88c4-1152ade45537"
    creation_time: "2024-03-18T13:17:03Z"
    producer: { name: "Another verifier", version: "3" }
    task:
      input_files: ["./somewhere/p.c"]
      input_file_hashes: { "./somewhere/p.c": "${hash}" }
      specification: "G ! call(reach_error())\\nCHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: "LP64"
      language: "C"
  content:
${
  invariants
    .map(
      (value) =>
        `    - invariant: { type: "loop_invariant", location: { file_name: "./somewhere/p.c", line: ${line}, ` +
        'column: 3, ' +
        `function: "main" }, value: "${value}", format: "c_expression" }`,
    )
    .join('\n') || '    []'
}
`;
}

/** An invariant over numbers: C's operators are JavaScript's here. */
function evaluate(text: string, values: Readonly<Record<string, number>>): boolean {
  return Boolean(runInNewContext(text, { ...values }));
}

describe('a proof', () => {
  const good = ['0 <= i && i <= n', 'n <= 1000', '(long long)twice == 2 * (long long)i'];

  test('by another verifier is confirmed', async () => {
    expect(await judged(proof(good), safe)).toMatchObject({ code: 0, witness: 'confirmed' });
  });

  test('may rest on what statics begin with, and on nothing else', async () => {
    const needed = 'x <= 10 && table[2] == 3 && pair.a >= 1 && pair.b == 2';
    expect(await judged(proof([needed], statics, 6), statics)).toMatchObject({ code: 0, witness: 'confirmed' });
    for (const wrong of ['x >= 1', 'table[2] == 4', 'pair.a <= 8', 'pair.b == 3']) {
      expect(await judged(proof([needed, wrong], statics, 6), statics)).toMatchObject({
        code: 1,
        witness: 'rejected',
        reason: expect.stringMatching(/beyond the invariant/) as string,
      });
    }
  });

  test.each([
    ['a constant flipped', proof([good[0]!, 'n <= 999', good[2]!]), /reached|beyond the invariant/],
    ['an invariant that does not hold at first', proof([...good, 'i >= 1']), /beyond the invariant/],
    ['an invariant left out', proof(good.slice(0, 2)), /can fail/],
    ['all left out', proof([]), /can fail/],
    ['one that contradicts itself', proof(['i < i']), /beyond the invariant/],
    ['a location moved to where no loop is', proof(good, safe, 7), /no loop/],
    ['the hash of other text', proof(good).replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`), /another text/],
  ])('%s: rejected', async (_, witness, why) => {
    expect(await judged(witness, safe)).toMatchObject({
      code: 1,
      witness: 'rejected',
      reason: expect.stringMatching(why) as string,
    });
  });

  inLongForm(
    'an invariant of a loop in a recursive function is needed: without it, or with a wrong one, nothing is confirmed',
    async () => {
      const program = `extern int nondet(void);
extern void reach_error(void);
static int down(int n) {
  int steps = 0;
  while (steps < n && nondet()) {
    steps++;
  }
  if (steps > n) reach_error();
  return n <= 0 ? 0 : down(n - 1);
}
int main(void) {
  int n = nondet();
  if (n < 0 || n > 100) return 0;
  return down(n);
}
`;
      const needed = 'steps <= n';
      expect(
        await judged(proof([needed], program, 5).replace('function: "main"', 'function: "down"'), program),
      ).toMatchObject({ code: 0, witness: 'confirmed' });
      for (const wrong of [[], ['steps <= 99'], [needed, 'steps < n']]) {
        expect(
          await judged(proof(wrong, program, 5).replaceAll('function: "main"', 'function: "down"'), program),
        ).toMatchObject({ code: 1, witness: 'rejected' });
      }
    },
  );

  test('names loops where they begin, as the format has it: at their keywords', async () => {
    const program = simple.replace('while (nondet()) {', 'while\n      (nondet()) {');
    writeFileSync(join(cwd, 'p.c'), program);
    expect((await run(['verify', 'p.c', '--property', 'reach', '--witness', 'own.yml'])).code).toBe(0);
    expect(readFileSync(join(cwd, 'own.yml'), 'utf8')).toMatch(
      /type: loop_invariant\s+location:\s+file_name: p\.c\s+line: 5\s+column: 3\s/,
    );
    expect(await judged(readFileSync(join(cwd, 'own.yml'), 'utf8'), program)).toMatchObject({ witness: 'confirmed' });
    expect(await judged(proof(['0 <= i && i <= 8'], program, 5), program)).toMatchObject({ witness: 'confirmed' });
  });

  test('after a change of any token, only proofs are confirmed, and none of a program that fails', async () => {
    const failing = safe.replace('twice > 2000', 'twice > 1998');
    const changes = good.flatMap((text, at) =>
      [...text.matchAll(/<=|==|&&|\b\d+\b|\b[in]\b/g)].flatMap(({ 0: token, index }) =>
        (
          ({
            '<=': ['<', '>='],
            '==': ['<=', '!='],
            '&&': ['||'],
            '0': ['1'],
            '1000': ['1001', '999'],
            '2': ['1'],
            i: ['n'],
            n: ['i'],
          })[token] ?? []
        ).map((other) =>
          good.map((whole, k) =>
            k === at ? `${whole.slice(0, index)}${other}${whole.slice(index + token.length)}` : whole,
          ),
        ),
      ),
    );
    expect(changes.length).toBeGreaterThan(15);
    for (const invariants of changes.filter((_, k) => isLong || k % 6 === 0)) {
      if ((await judged(proof(invariants), safe)).witness === 'confirmed') {
        const text = invariants.map((one) => `(${one.replaceAll('(long long)', '')})`).join(' && ');
        const holds = (i: number, n: number, twice: number): boolean => evaluate(text, { i, n, twice });
        for (const n of [0, 1, 2, 17, 1000])
          for (let i = 0; i <= n; i++)
            expect({ text, i, n, holds: holds(i, n, 2 * i) }).toEqual({ text, i, n, holds: true });
      }
    }
    for (const invariants of [good, ...changes.filter((_, k) => k % (isLong ? 4 : 12) === 0)])
      expect((await judged(proof(invariants, failing), failing)).witness).not.toBe('confirmed');
  }, 600_000);

  test('of ours is confirmed, and not for another text', async () => {
    writeFileSync(join(cwd, 'p.c'), simple);
    expect((await run(['verify', 'p.c', '--property', 'reach', '--witness', 'own.yml'])).code).toBe(0);
    const own = readFileSync(join(cwd, 'own.yml'), 'utf8');
    expect(await judged(own, simple)).toMatchObject({ code: 0, witness: 'confirmed' });
    expect(await judged(own, simple.replaceAll('8', '9'))).toMatchObject({
      code: 1,
      witness: 'rejected',
      reason: expect.stringContaining('another text') as string,
    });
  });

  test.each([
    // Two loops with a counter of the same name; one bit of a word; no invariant at all: its only execution, and all of
    // them.
    ['loops/sequence', 'reach'],
    ['nontermination/parity_blocks_exit', 'reach'],
    ['control/shadowed', 'reach'],
    ...ifLong<[string, string]>(['control/return_in_loop_never', 'reach']),
    // What recursive functions are called with and return; that one never does; what a global was when the function of
    // the loop began.
    ...ifLong<[string, string]>(['recursion/sum_bounds', 'reach']),
    ['recursion/never_returns', 'reach'],
    ['recursion/loop_adds_to_global', 'reach'],
  ])('of ours is confirmed: %s', async (name, property) => {
    const text = readFileSync(join(__dirname, '../../fixtures/programs', `${name}.c`), 'utf8');
    writeFileSync(join(cwd, 'p.c'), text);
    expect(
      (await run(['verify', 'p.c', '--property', property, '--externals', 'any', '--witness', 'own.yml'])).code,
    ).toBe(0);
    const own = readFileSync(join(cwd, 'own.yml'), 'utf8');
    expect(await judged(own, text)).toMatchObject({ code: 0, witness: 'confirmed' });
  });
});

describe('a violation', () => {
  let own: string;
  beforeAll(async () => {
    writeFileSync(join(cwd, 'p.c'), unsafe);
    expect((await run(['verify', 'p.c', '--property', 'reach', '--witness', 'own.yml'])).code).toBe(1);
    own = readFileSync(join(cwd, 'own.yml'), 'utf8');
  });

  test('is told with the inputs of the witness, not with smaller ones', async () => {
    const range = unsafe.replace('a == 41 && b == -7', 'a > 10 && b < 500');
    writeFileSync(join(cwd, 'p.c'), range);
    await run(['verify', 'p.c', '--property', 'reach', '--witness', 'w.yml', '--json']);
    const values = ['4711', '-815'];
    writeFileSync(
      join(cwd, 'w.yml'),
      readFileSync(join(cwd, 'w.yml'), 'utf8').replace(
        /(value: \\result == )-?\d+/g,
        (_, before: string) => `${before}${values.shift()!}`,
      ),
    );
    const { code, out } = await run(['check', 'w.yml', 'p.c']);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^w\.yml: confirmed[^]*where nondet\(\) gives 4711, -815\n/) as string,
    });
  });

  test('of ours is confirmed by running it', async () => {
    expect(own).toContain('\\result == 41');
    expect(await judged(own, unsafe)).toMatchObject({ code: 0, witness: 'confirmed' });
  });

  test.each([
    ['an input changed', '\\result == 41', '\\result == 40', /does not fail/],
    [
      'a value that does not fit the result',
      '\\result == 41',
      '\\result == 4294967337',
      /no value that nondet can return/,
    ],
    ['the target moved', 'line: 7', 'line: 8', /on line 7/],
    ['an input read elsewhere', 'line: 5', 'line: 4', /not read where/],
  ])('%s: rejected', async (_, from, to, why) => {
    const tampered = own.replace(from, to);
    expect(tampered).not.toBe(own);
    expect(await judged(tampered, unsafe)).toMatchObject({
      code: 1,
      witness: 'rejected',
      reason: expect.stringMatching(why) as string,
    });
  });
});

test.each([
  ['no YAML', '- a: [', /no YAML: .*[^:]$/m],
  ['no witness', '[]', /empty/],
  ['another format', proof([]).replace('format_version: "2.0"', 'format_version: "1.0"'), /format is 1.0/],
  ['a function that is none for errors', proof([]).replaceAll('reach_error()', 'nondet()'), /G ! call\(nondet\(\)\)/],
  [
    'a formula that is not known',
    proof([]).replace(
      'LTL(G ! call(reach_error())) )',
      'LTL(G ! call(reach_error())) )\\nCHECK( init(main()), LTL(G ! data-race) )',
    ),
    /G ! data-race/,
  ],
  ['a text without a place', proof(['i']).replace(/location: \{[^}]*\}/, 'location: {}'), /file_name/],
])('%s: the input is wrong', async (_, witness, why) => {
  writeFileSync(join(cwd, 'w.yml'), witness);
  writeFileSync(join(cwd, 'p.c'), safe);
  const { code, err } = await run(['check', 'w.yml', 'p.c']);
  expect(code).toBe(3);
  expect(err).toMatch(why);
});

test('an invariant in words that cannot be read is not confirmed', async () => {
  expect(await judged(proof(['f(i) > 0']), safe)).toMatchObject({
    code: 2,
    witness: 'unconfirmed',
    reason: expect.stringContaining('cannot be read') as string,
  });
});
