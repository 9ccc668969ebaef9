/**
 * A file of C unit tests as a file of Jest tests. A test whose statements are all understood is translated; of any
 * other the C is kept as a comment, with its line, in a `test.todo`: nothing is dropped, and nothing passes that was
 * not understood.
 */
import { basename } from 'node:path';
import type { FrontEndOptions } from '../../c';
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import { readSyntax } from '../../c/read';
import {
  declaredName,
  functionPart,
  type Declaration,
  type FunctionDefinitionSyntax,
  type SyntaxUnit,
} from '../../c/syntax';
import { frameworkHeader, frameworkHeaders } from './assertions';
import { CannotTranslate, declaration, TestScope, statement, type TestedModule } from './translate';

export interface ImportRequest {
  /** The file of tests, absolute. */
  readonly file: string;
  readonly text: string;
  /** The path that `loadC` is given. */
  readonly module: string;
  /** Its other argument: include folders and macros, as the command got them. */
  readonly loadOptions: string | undefined;
  readonly tested: TestedModule;
  readonly head: string;
  readonly options: FrontEndOptions;
  /** Undefined when there is no such file. */
  readonly readFile: (path: string) => string | undefined;
}

export interface Imported {
  readonly text: string;
  readonly translated: number;
  /** Tests that stay C, with the reason. */
  readonly left: readonly { readonly name: string; readonly line: number; readonly why: string }[];
  /** Headers that were not found and taken to be empty. */
  readonly missing: readonly string[];
}

/**
 * A folder that exists nowhere: the last one in which a header is looked for. Deep, since a header may begin with `..`.
 */
const nowhereTop = '/provest-import-headers';
const nowhere = `${nowhereTop}/1/2/3/4/5/6/7/8`;

/** An error when the file cannot be read as C at all. */
export function importTests(request: ImportRequest): Imported | { readonly error: Diagnostic | undefined } {
  const missing = new Set<string>();
  const { unit, error } = readSyntax(
    request.file,
    {
      ...request.options,
      include: [...(request.options.include ?? []), nowhere],
      readFile: (path) => {
        if (frameworkHeaders.includes(basename(path))) return frameworkHeader;
        const found = request.readFile(path);
        if (found !== undefined || !path.startsWith(nowhereTop)) return found;
        missing.add(basename(path));
        return '';
      },
    },
    request.text,
  );
  return unit ? new Importer(request, unit).result([...missing]) : { error };
}

class Importer {
  private readonly functions: readonly FunctionDefinitionSyntax[];
  private readonly lines: readonly string[];
  private readonly left: { name: string; line: number; why: string }[] = [];
  private translated = 0;

  constructor(
    private readonly request: ImportRequest,
    private readonly unit: SyntaxUnit,
  ) {
    this.functions = unit.declarations.filter(
      (one): one is FunctionDefinitionSyntax =>
        one.kind === 'function-definition' && one.span.file.path === request.file,
    );
    this.lines = request.text.split('\n');
  }

  result(missing: readonly string[]): Imported {
    const tests = this.tests();
    const { module, loadOptions, tested, head, text } = this.request;
    const scope = new TestScope(tested, addressedIn(text));
    const parts = [
      head,
      `const ${tested.variable} = loadC('${module}'${loadOptions === undefined ? '' : `, ${loadOptions}`});`,
      ...this.fileScope(scope),
      ...this.functions.flatMap((fn) => this.part(fn, tests, scope) ?? []),
      `test('is verified', () => expect(${tested.variable}).toBeVerified());`,
    ];
    return { text: `${parts.join('\n\n')}\n`, translated: this.translated, left: this.left, missing };
  }

  /** Functions that a runner is told to run, or that are called like tests. */
  private tests(): ReadonlySet<string> {
    const named = [
      ...this.request.text.matchAll(/\b(?:RUN_TEST|cmocka_unit_test\w*|unit_test\w*)\s*\(\s*([A-Za-z_]\w*)/g),
    ].map(([, name]) => name!);
    return new Set([...named, ...this.functions.map(nameOf).filter((name) => /^(test|spec|should)/i.test(name))]);
  }

  private part(fn: FunctionDefinitionSyntax, tests: ReadonlySet<string>, scope: TestScope): string | undefined {
    const name = nameOf(fn);
    const hook = { setUp: 'beforeEach', tearDown: 'afterEach' }[name];
    if (hook !== undefined && fn.body.items.length === 0) return undefined;
    if (name === 'main' || name.startsWith('provest_runner_')) return undefined;
    const ignored = name.startsWith('ignored_') || isIgnored(fn);
    if (hook === undefined && !tests.has(name) && !ignored)
      return this.keepAsTodo(fn, name, 'a helper of the tests: it stays C');
    try {
      const inner = new TestScope(this.request.tested, addressedIn(this.textOf(fn)), scope);
      const items = isIgnored(fn) ? [] : fn.body.items;
      const code = items.flatMap((item) => statement(item, inner)).map((line) => `  ${line}`);
      if (hook !== undefined) return [`${hook}(() => {`, ...code, '});'].join('\n');
      this.translated++;
      const head = `test${ignored ? '.skip' : ''}('${titleOf(name)}', () => {`;
      return code.length === 0 ? `${head}});` : [head, ...code, '});'].join('\n');
    } catch (error) {
      if (!(error instanceof CannotTranslate)) throw error;
      return this.keepAsTodo(fn, name, error.message, hook === undefined ? titleOf(name) : undefined);
    }
  }

  /** As a comment. `title`: a test that is still to be written. */
  private keepAsTodo(fn: FunctionDefinitionSyntax, name: string, why: string, title?: string): string {
    const { line } = fn.span.file.position(fn.span.start);
    this.left.push({ name, line, why });
    return [
      ...(title === undefined ? [] : [`test.todo('${title}');`]),
      `// ${basename(this.request.file)}:${line}: not translated: ${why.replace(/[\r\n]+/g, ' ')}`,
      ...this.textOf(fn)
        .split('\n')
        .map((text) => `//   ${text}`.trimEnd()),
    ].join('\n');
  }

  private textOf(fn: FunctionDefinitionSyntax): string {
    const { file, start } = fn.span;
    const from = file.position(start).line;
    const to = fn.body.end.file.position(fn.body.end.start).line;
    return this.lines.slice(from - 1, Math.max(from, to)).join('\n');
  }

  /** Variables of the test file. Those that cannot be translated are no names, so that tests which use them stay C. */
  private fileScope(scope: TestScope): readonly string[] {
    const lines = this.unit.declarations
      .filter((one): one is Declaration => one.kind === 'declaration' && one.span.file.path === this.request.file)
      .flatMap((one) => {
        try {
          return declaration(one, scope);
        } catch (error) {
          if (!(error instanceof CannotTranslate)) throw error;
          return [];
        }
      });
    return lines.length === 0 ? [] : [lines.join('\n')];
  }
}

/** The test gives up before it does anything: `TEST_IGNORE()` in Unity, `skip()` in CMocka. */
function isIgnored({ body: { items } }: FunctionDefinitionSyntax): boolean {
  const first = items.find(({ kind }) => kind !== 'empty' && kind !== 'declaration');
  const call = first?.kind === 'expression' ? first.expression : undefined;
  return call?.kind === 'call' && call.callee.kind === 'identifier' && /^(TEST_IGNORE|skip$)/.test(call.callee.name);
}

/** Names behind `&`; more than are variables do no harm. */
const addressedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/(?:^|[^&\w)\]])&\s*([A-Za-z_]\w*)\b(?!\s*(?:\[|\.|->))/gm)].map(([, name]) => name!));

const nameOf = (fn: FunctionDefinitionSyntax): string =>
  functionPart(fn.declarator) ? (declaredName(fn.declarator).name ?? '') : '';

/** `test_push_onFullStack` as `push on full stack`. */
function titleOf(name: string): string {
  const words = name
    .replace(/^(?:ignored|test|spec)_*/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/_+/g, ' ')
    .trim();
  return words === ''
    ? name
    : words.replace(/(^| )([A-Z])(?=[a-z])/g, (_, space: string, letter: string) => `${space}${letter.toLowerCase()}`);
}
