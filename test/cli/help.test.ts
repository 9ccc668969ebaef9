/** Help of the command: groups and examples, pages on causes, completion in a shell, words that are no command. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWith } from './fakes';
import { besidePeer } from '../peer';

const root = join(__dirname, '..', '..');
let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-help-'));
  writeFileSync(join(cwd, 'stack.c'), 'void push(void) {}\n');
  writeFileSync(join(cwd, 'static.c'), 'void f(void) {}\n');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (...args: readonly string[]) => runWith(args, cwd);

describe('help', () => {
  test('options of verify stand in groups, and three examples follow', async () => {
    const { code, out } = await run('verify', '--help');
    expect(code).toBe(0);
    const headings = [...out.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Arguments',
      'Options',
      'Subject of the proof',
      'Reading the C',
      'Output',
      'Effort',
      'Method, for those who know it',
      'Examples',
    ]);
    expect(out.match(/^ {2}provest verify /gm)).toHaveLength(3);
    // The group an option belongs to.
    expect(/^Output:\n([^]*?)\n\n/m.exec(out)![1]).toContain('--html <file>');
    expect(/^Effort:\n([^]*?)\n\n/m.exec(out)![1]).toContain('--budget <duration>');
  });

  test('every command explains itself, with --help and with help COMMAND', async () => {
    const { out } = await run('--help');
    const names = [...out.matchAll(/^ {2}([a-z]+)(?: \[options\])?(?: [<[].*?)? {2,}/gm)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining(['verify', 'explain', 'completion', 'types']));
    for (const name of names.filter((one) => one !== 'help')) {
      const help = await run(name, '--help');
      expect([name, help.code, help.out.startsWith(`Usage: provest ${name}`)]).toEqual([name, 0, true]);
      expect((await run('help', name)).out).toBe(help.out);
    }
  });

  test.each([
    ['verfy', "'verfy' is no command\nhint: did you mean 'provest verify'?"],
    ['frobnicate', "'frobnicate' is no command\nhint: the commands are verify, run,"],
  ])('%s is no command, and is told so even with --help', async (name, message) => {
    for (const args of [[name], [name, '--help'], [name, 'stack.c', '--json']]) {
      const { code, err } = await run(...args);
      expect(code).toBe(3);
      expect(err).toContain(`provest: ${message}`);
    }
  });
});

describe('explain', () => {
  test('prints the page on a cause; without one it lists all with a sentence', async () => {
    const page = await run('explain', 'time-budget');
    expect([page.code, page.out]).toEqual([0, readFileSync(join(root, 'docs/causes/time-budget.md'), 'utf8')]);
    const list = (await run('explain')).out.trimEnd().split('\n');
    expect(list.map((line) => line.split(' ')[0])).toEqual(
      readdirSync(join(root, 'docs/causes'))
        .filter((file) => file !== 'README.md')
        .map((file) => file.replace('.md', ''))
        .sort(),
    );
    for (const line of list) expect(line).toMatch(/^[a-z-]+ {2,}\S.* .*[.]$/);
  });

  test('a word that is no cause is refused, with the nearest one', async () => {
    expect(await run('explain', 'time-buget')).toMatchObject({
      code: 3,
      out: '',
      err: "provest: there is no cause 'time-buget'\nhint: did you mean 'provest explain time-budget'?\n",
    });
    expect((await run('explain', 'x')).err).toContain('the causes are checker-disagrees, ');
  });
});

/** The file in the folder of these tests, written. */
function fileOf(name: string, text: string): string {
  writeFileSync(join(cwd, name), text);
  return join(cwd, name);
}

const installed = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const beside = (shell: string) =>
  besidePeer(installed(shell), `${shell} is not installed, so its completion is NOT tested`);

describe('completion', () => {
  /** Completions that bash offers for the last word. */
  async function bash(...words: readonly string[]): Promise<readonly string[]> {
    const { out } = await run('completion', 'bash');
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const { stdout, stderr } = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `${out}\nCOMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _provest; ` +
          `printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { cwd, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  }

  test('bash completes commands, options, their values, causes and files', async () => {
    expect(await bash('provest', 'ver')).toEqual(['verify']);
    expect(await bash('provest', 'verify', '--no-')).toEqual(
      expect.arrayContaining(['--no-cache', '--no-race', '--no-call-backs']),
    );
    expect(await bash('provest', 'verify', '--data-model', '')).toEqual(['lp64', 'ilp32']);
    expect(await bash('provest', 'explain', 'time')).toEqual(['time-budget']);
    expect(await bash('provest', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await bash('provest', 'verify', 'sta')).toEqual(expect.arrayContaining(['stack.c', 'static.c']));
    expect(await bash('provest', 'verify', '--budget', '5s', 'stac')).toEqual(['stack.c']);
  });

  test('the scripts for zsh and fish name every command and option once', async () => {
    const help = (await run('--help')).out;
    const options = [...(await run('verify', '--help')).out.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(
      ([, name]) => name!,
    );
    for (const shell of ['zsh', 'fish']) {
      const { out, code } = await run('completion', shell);
      expect(code).toBe(0);
      for (const [, name] of help.matchAll(/^ {2}([a-z]+)(?: \[options\])? .*$/gm))
        if (name !== 'help') expect(out).toMatch(new RegExp(`\\b${name!}\\b`));
      for (const option of options.filter((one) => one !== 'help'))
        expect(out).toMatch(shell === 'zsh' ? new RegExp(`--${option}\\[`) : new RegExp(`-l ${option} `));
      if (installed(shell)) {
        const checked = spawnSync(shell, ['-n', fileOf(`provest.${shell}`, out)], { encoding: 'utf8' });
        expect([shell, checked.status, checked.stderr]).toEqual([shell, 0, '']);
      }
    }
  });

  beside('fish').test('fish completes commands, options, their values and causes', async () => {
    const script = fileOf('provest.fish', (await run('completion', 'fish')).out);
    const fish = (line: string): string[] =>
      spawnSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], { encoding: 'utf8' })
        .stdout.split('\n')
        .flatMap((offered) => offered.split('\t')[0] || []);
    expect(fish('provest ver')).toEqual(['verify']);
    expect(fish('provest verify --no-c')).toEqual(expect.arrayContaining(['--no-cache', '--no-call-backs']));
    expect(fish('provest verify --data-model ')).toEqual(['ilp32', 'lp64']);
    expect(fish('provest explain time')).toEqual(['time-budget']);
  });

  beside('zsh').test('zsh completes at the first attempt, sourced or from a folder', async () => {
    const script = fileOf('_provest', (await run('completion', 'zsh')).out);
    // The completion itself needs a terminal: what it is given to describe is printed instead.
    const zsh = (load: string): string =>
      spawnSync(
        'zsh',
        [
          '-f',
          '-c',
          `compdef() { print "for $2: $1"; }; _describe() { print -l $commands; }; ${load}; ` +
            'CURRENT=2; words=(provest ver); _provest',
        ],
        { encoding: 'utf8' },
      ).stdout;
    const verify = /^verify:prove that/m;
    expect(zsh(`fpath=(${cwd} $fpath); autoload -U _provest`)).toMatch(verify);
    const sourced = zsh(`source ${script}`);
    expect(sourced).toMatch(/^for provest: _provest$/m);
    expect(sourced).toMatch(verify);
  });

  test('another shell is refused', async () => {
    expect(await run('completion', 'bsh')).toMatchObject({
      code: 3,
      err: "provest: unknown shell 'bsh'\nhint: did you mean 'bash'?\n",
    });
  });
});
