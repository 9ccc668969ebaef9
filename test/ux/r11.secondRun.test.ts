/**
 * R11: the second run is cheap and says why; what was cut short is never an answer later; an edit leaves what it does
 * not touch.
 */
import { cpus, loadavg } from 'node:os';
import { inLongForm, isLong } from '../long';
import { Project } from './project';

const ring = `static int items[8];
static int count;
int put(int k) { if (count == 8) return 0; items[count] = k; count++; return 1; }
int take(void) { if (count == 0) return -1; count--; return items[count]; }
int total(void) { int s = 0; for (int i = 0; i < count; i++) s ^= items[i]; return s; }
`;
let user: Project;
beforeAll(() => {
  user = new Project({ 'ring.c': ring });
});
afterAll(() => user.remove());

interface Json {
  readonly verdict: string;
  readonly seconds: number;
  readonly invariants: unknown;
  readonly assumptions: unknown;
  readonly remarks: readonly string[];
  readonly statistics: {
    readonly reused?: number;
    readonly provedAnew?: readonly string[];
    readonly cutpoints: number;
    readonly solverQueries: number;
    readonly obligations: number;
  };
  readonly reason: { readonly cause: string } | null;
}
const verify = (...more: readonly string[]): Json =>
  JSON.parse(
    user
      .provest('verify', 'ring.c', '--json', '--budget', '5m', ...more)
      .stdout.split('\n')
      .at(-2)!,
  ) as Json;
const said = ({ verdict, assumptions, statistics: { obligations, cutpoints } }: Json) => ({
  verdict,
  assumptions,
  obligations,
  cutpoints,
});

test('R11 unchanged: the kept proof is checked again, and the verdict is the same; edited: the rest of it', () => {
  const first = verify();
  expect(first).toMatchObject({ verdict: 'proved' });
  expect(first.statistics.reused).toBeUndefined();
  const again = verify();
  expect(again.statistics.reused).toBe(again.statistics.cutpoints);
  expect(said(again)).toEqual(said(first));
  // On a machine that has nothing else to do.
  expect(again.seconds).toBeLessThan(2 * Math.max(1, loadavg()[0]! / cpus().length));
  expect(again.statistics.solverQueries).toBeLessThan(first.statistics.solverQueries);
  if (isLong) {
    expect(user.provest('verify', 'ring.c', '--budget', '5m').stdout).toMatch(
      /reused the invariant at (\d+) of \1 cutpoints, checked again/,
    );
    expect(verify('--no-cache').statistics.reused).toBeUndefined();
  }
  // One function is edited: what was proved of the others is taken over.
  user.write('ring.c', ring.replace('s ^= items', 's |= items'));
  const edited = verify();
  expect(edited.verdict).toBe('proved');
  expect(edited.statistics.reused).toBeGreaterThanOrEqual(first.statistics.cutpoints - 3);
  expect(edited.statistics.provedAnew).toEqual(['total']);
  // The others were only checked again.
  expect(edited.statistics.solverQueries).toBeLessThan(first.statistics.solverQueries);
  // A function that others call is edited: they are proved anew with it, and the message says so.
  const called = (step: string): string =>
    `${ring}static int first;\nstatic int next(int i) { return ${step}; }\n` +
    'int skip(void) { if (count == 0) return 0; first = next(first); count--; return 1; }\n';
  user.write('ring.c', called('(i + 1) % 8'));
  const added = verify();
  expect(added.verdict).toBe('proved');
  // What is known of the others does not keep the new one from being proved as soon as it would be without it.
  expect(added.statistics.solverQueries).toBeLessThan(2 * verify('--no-cache').statistics.solverQueries);
  user.write('ring.c', called('i < 7 ? i + 1 : 0'));
  expect(user.provest('verify', 'ring.c', '--budget', '5m').stdout).toMatch(
    /reused the invariant at \d+ of \d+ cutpoints, checked again; proved anew: next, skip$/m,
  );
  // A comment is no edit.
  user.write('ring.c', `/* the same */ ${called('i < 7 ? i + 1 : 0')}`);
  const commented = verify();
  expect(commented.statistics).toMatchObject({ reused: commented.statistics.cutpoints, provedAnew: [] });
  // What made it true is gone.
  user.write('ring.c', ring.replace('if (count == 0) return -1;', 'if (count == 10) return -1;'));
  expect(verify().verdict).toBe('bug');
  user.write('ring.c', ring);
}, 900_000);

inLongForm(
  'R11 an answer that was cut short is none when there is more time; proofs by refinement are kept too',
  () => {
    user.write('ring.c', `${ring}/* anew */\n`);
    expect(verify('--budget', '1ms')).toMatchObject({ verdict: 'unknown', reason: { cause: 'time-budget' } });
    expect(verify().verdict).toBe('proved');
    user.write('small.c', 'static int n;\nint next(void) { n = n < 7 ? n + 1 : 0; return 100 / (8 - n); }\n');
    const synergy = (): Json =>
      JSON.parse(
        user.provest('verify', 'small.c', '--json', '--engine', 'synergy', '--budget', '5m').stdout.split('\n').at(-2)!,
      ) as Json;
    const first = synergy();
    expect(first).toMatchObject({ verdict: 'proved', engine: 'synergy' });
    expect(first.statistics.reused).toBeUndefined();
    const again = synergy();
    expect(again).toMatchObject({
      verdict: 'proved',
      engine: 'synergy',
      statistics: { reused: again.statistics.cutpoints },
    });
  },
  900_000,
);

inLongForm(
  'R11 in Jest the summary, on GitHub too, and SARIF say what was reused; with the cache off nothing is',
  () => {
    user.write('ring.c', ring);
    user.write(
      'ring.test.js',
      "const { loadC } = require('provest');\nconst ring = loadC('./ring.c');\n" +
        "test('puts', () => { ring.put(1); ring.take(); });\n" +
        "test('verified', () => expect(ring).toBeVerified({ budget: 300_000 }));\n",
    );
    user.write(
      'jest.config.js',
      "module.exports = { preset: 'provest', transform: {}, cacheDirectory: '/tmp/provest-jest-cache', " +
        "reporters: ['default', ['provest/reporter', { sarif: true }]] };",
    );
    expect(user.jest().status).toBe(0);
    const again = user.jest({
      env: { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: `${user.folder}/summary.md` },
    });
    expect(user.read('summary.md')).toMatch(/ring\.c \| ✅ proved \|.*\| (\d+) of \1 \|/);
    expect(JSON.parse(user.read('.provest/provest.sarif'))).toMatchObject({
      runs: [
        { properties: { verdicts: [{ module: 'ring.c', verdict: 'proved', reused: expect.any(Number) as number }] } },
      ],
    });
    expect(again.stderr).toMatch(/ring\.c {2}proved.*, reused (\d+) of \1, /);
    user.write('ring.c', ring.replace('return 1; }', 'return count > 0; }'));
    expect(user.jest().stderr).toMatch(/ring\.c {2}proved.*, reused \d+ of \d+; proved anew: put, /);
    expect(user.jest({ env: { PROVEST_CACHE: 'off' } }).stderr).not.toContain('reused');
  },
  900_000,
);
