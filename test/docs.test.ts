/** The documentation says what the code does: links, causes, options, properties, exit codes and snippets. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { readCText } from '../src/c';
import { bundledHeaderNames } from '../src/c/bundled';
import { commands } from '../src/cli/command';
import { exitCode } from '../src/cli/exitCode';
import { defaultProperties, propertyOf } from '../src/program/command';
import { verdictWord } from '../src/report';
import type { CauseId } from '../src/verdict';

const root = join(__dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = [
  'CONTRIBUTING.md',
  'README.md',
  'src/README.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
].sort();

/** All pages of the reference as one text. */
const reference = readdirSync(join(root, 'docs/reference'))
  .sort()
  .map((file) => read(join('docs/reference', file)))
  .join('\n');

/** The compiler sees to it that none is missing. */
const causes = Object.keys({
  'not-accepted': true,
  'probe-too-weak': true,
  'solver-budget': true,
  'time-budget': true,
  'state-explosion': true,
  'unsupported-construct': true,
  'no-body': true,
  nonlinear: true,
  'no-entry': true,
  'solver-died': true,
  vacuous: true,
  'not-run': true,
  interrupted: true,
  'checker-disagrees': true,
  'internal-error': true,
} satisfies Record<CauseId, true>);

interface Snippet {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

function snippetsOf(page: string): Snippet[] {
  return [...read(page).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map((match) => ({
    page,
    line: read(page).slice(0, match.index).split('\n').length,
    language: match[1]!,
    text: match[2]!,
  }));
}

/** As GitHub makes them from headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replace(/ /g, '-'),
  );
}

test.each(pages)('links of %s lead somewhere', (page) => {
  const prose = read(page).replace(/^```[^]*?^```$/gm, '');
  const broken = [...prose.matchAll(/\]\(([^)]+)\)/g)]
    .map((match) => match[1]!)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [file, anchor] = link.split('#') as [string, string?];
      const target = file === '' ? page : relative(root, resolve(root, dirname(page), file));
      return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
  expect(broken).toEqual([]);
});

test('every cause has a page with an example and what to do, and is in the list', () => {
  const files = readdirSync(join(root, 'docs/causes')).filter((file) => file !== 'README.md');
  expect(files.sort()).toEqual(causes.map((cause) => `${cause}.md`).sort());
  for (const cause of causes) {
    const page = read(`docs/causes/${cause}.md`);
    expect(page.startsWith(`# \`${cause}\`\n`)).toBe(true);
    expect(page).toMatch(/^## Example$[^]*^## What to do next$/m);
    expect(read('docs/causes/README.md')).toContain(`[\`${cause}\`](${cause}.md)`);
  }
});

test('the reference has every command and option, and no other', () => {
  const nobody = () => {
    throw new Error('only the names are asked for');
  };
  const terminal = {
    out: nobody,
    err: nobody,
    color: false,
    errIsTerminal: false,
    errColumns: 80,
    cwd: root,
    now: nobody,
    input: nobody,
    onInterrupt: nobody,
  };
  const program = commands(
    terminal,
    {
      version: '',
      engines: ['auto'],
      loadProgram: nobody,
      loadInterface: nobody,
      declaredFunctions: nobody,
      verify: nobody,
      queue: nobody,
      work: nobody,
      declarations: nobody,
      cover: nobody,
      slice: nobody,
      withTests: nobody,
      testsOf: nobody,
      merge: nobody,
      serveEditor: nobody,
    },
    nobody,
  );
  const documented = [...reference.matchAll(/^### `provest (\w+)[^`]*`\n([^]*?)(?=^##)/gm)].map(
    ([, name, text]) => [name!, [...text!.matchAll(/^\| `([^`]+)`/gm)].map((row) => row[1]!).sort(), text!] as const,
  );
  expect(documented.map(([name]) => name)).toEqual(program.commands.map((command) => command.name()));
  for (const [name, options, text] of documented) {
    const flags = program.commands
      .find((command) => command.name() === name)!
      .options.map((option) => option.flags)
      .sort();
    if (options.length > 0) expect(options).toEqual(flags);
    else for (const flag of flags) expect(text).toContain(`\`${/--[\w-]+/.exec(flag)![0]}\``);
  }
});

test('the reference lists the headers that come along', () => {
  const [, list] = /^`(alloca\.h [^`]*)`\s+come\s+with\s+provest/m.exec(reference)!;
  expect(list!.split(/\s/)).toEqual(
    bundledHeaderNames()
      .filter((name) => !name.startsWith('provest/'))
      .sort(),
  );
});

test('the reference has every property with its checks, and says which are in force', () => {
  const rows = [...reference.matchAll(/^\| `([\w-]+)` \| (.*) \| (by default|when asked for) \|$/gm)];
  const documented = rows.map(([, property, text, force]) => ({
    property,
    checks: [...text!.matchAll(/`([a-z-]+)`/g)]
      .map((match) => match[1]!)
      .filter((check) => check in propertyOf)
      .sort(),
    byDefault: force === 'by default',
  }));
  const properties = [...new Set(Object.values(propertyOf))];
  expect(documented).toEqual(
    properties.map((property) => ({
      property,
      checks: Object.entries(propertyOf)
        .filter(([, of]) => of === property)
        .map(([check]) => check)
        .sort(),
      byDefault: defaultProperties.includes(property),
    })),
  );
});

test('the reference has the options and members of the TypeScript types', () => {
  const types = ts.createSourceFile('types.ts', read('plugin/api/types.ts'), ts.ScriptTarget.Latest);
  const members = (name: string): string[] => {
    const declared = types.statements.find(
      (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
    );
    if (!declared || !ts.isInterfaceDeclaration(declared)) throw new Error(`plugin/api/types.ts declares no ${name}`);
    return declared.members.flatMap((member) => {
      if (ts.isConstructSignatureDeclaration(member)) return ['new'];
      return member.name && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name)) ? [member.name.text] : [];
    });
  };
  const documented = (heading: string): string[] => {
    const [, rows] = new RegExp(`^\\| ${heading} \\| meaning \\|\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(
      reference,
    )!;
    return [...rows!.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]!).sort();
  };
  expect(documented('option of `loadC`')).toEqual(members('LoadCOptions').sort());
  expect(documented('member of the module')).toEqual(members('ModuleApi').sort());
  expect(documented('option of the matchers')).toEqual(
    [...members('VerifyOptions'), ...members('AdequacyOptions')].sort(),
  );
});

test('verdicts and exit codes are those of the code', () => {
  for (const word of Object.values(verdictWord)) {
    expect(reference).toContain(`| \`${word}\` |`);
    expect(read('README.md')).toContain(`| \`${word}\` |`);
  }
  expect(reference.replace(/\s+/g, ' ')).toContain(
    `Exit codes: ${exitCode.proved} proved; ${exitCode.bug} bug; ${exitCode.undecided} proved if, ` +
      'potential error, unknown or not evaluated; ' +
      `${exitCode.badInput} the C or the call is wrong; ${exitCode.internal} provest itself failed.`,
  );
});

test("CI runs the README's two commands", () => {
  const script = read('.ci/run');
  const [section] = /^## Two commands$[^]*?^## /m.exec(read('README.md'))!;
  const asked = [...section.matchAll(/^npm ci && (npm (?:run \w+|test))/gm)].map((match) => match[1]!);
  expect(asked).toEqual(['npm run example', 'npm test']);
  for (const command of asked) expect(script).toMatch(new RegExp(`^step \\w+ ${command}$`, 'm'));
});

/** Tests of another framework are read by test/cli/import.test.ts. */
const c = pages
  .flatMap(snippetsOf)
  .filter(({ language, text }) => language === 'c' && !/"(?:unity|mcu|[^"]*\/mcu)\.h"/.test(text));

test.each(c.map((snippet) => [`${snippet.page}:${snippet.line}`, snippet] as const))(
  'the C at %s is accepted without a warning',
  (_, { text }) => {
    expect(readCText(text).warnings).toEqual([]);
  },
);

const code = pages.flatMap(snippetsOf).filter(({ language }) => language === 'ts' || language === 'js');

test.each(code.map((snippet) => [`${snippet.page}:${snippet.line}`, snippet] as const))(
  'the code at %s is well-formed',
  (_, { language, text }) => {
    const { diagnostics } = ts.transpileModule(text, {
      reportDiagnostics: true,
      fileName: `snippet.${language}`,
      compilerOptions: { allowJs: true },
    });
    expect(diagnostics!.map(({ messageText }) => messageText)).toEqual([]);
  },
);
