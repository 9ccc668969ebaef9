/**
 * Puts generated tests into the user's test files, when asked to: into the block where the module is loaded, in the
 * style of the file, once. A marker carries what was written; a block that a person has edited since is left alone for
 * ever.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  IndentationText,
  Node,
  Project,
  QuoteKind,
  type CallExpression,
  type SourceFile,
  type VariableDeclaration,
} from 'ts-morph';
import { writeOutputFile } from './outputFile';

export interface TestToWrite {
  readonly file: string;
  /** The variable that holds the module. */
  readonly variable: string;
  readonly test: string;
}

export interface ProbeToWrite {
  readonly file: string;
  readonly variable: string;
  /** Statements, a line each. */
  readonly probe: string;
}

const marker = '@provest-generated';

/** Says what it did, a line per file; files change only when their contents do. Throws `OutputError`. */
export function writeTests(tests: readonly TestToWrite[], base = process.cwd()): string[] {
  const lines: string[] = [];
  for (const file of [...new Set(tests.map((test) => test.file))].sort()) {
    const path = resolve(base, file);
    if (!existsSync(path)) continue;
    const before = readFileSync(path, 'utf8');
    const { text, added, duplicates } = withTests(
      before,
      tests.filter((test) => test.file === file),
      path,
    );
    if (text === before) continue;
    writeOutputFile(file, text, base);
    lines.push(
      `provest: ${file}: ${added} test${added === 1 ? '' : 's'} ` +
        `written${duplicates === 0 ? '' : `, ${duplicates} duplicate${duplicates === 1 ? '' : 's'} left out`}`,
    );
  }
  return lines;
}

/** The same for probes, each right after the line that loads its module. */
export function writeProbes(probes: readonly ProbeToWrite[], base = process.cwd()): string[] {
  const lines: string[] = [];
  for (const file of [...new Set(probes.map((probe) => probe.file))].sort()) {
    const path = resolve(base, file);
    if (!existsSync(path)) continue;
    const before = readFileSync(path, 'utf8');
    const { text, added } = withProbes(
      before,
      probes.filter((probe) => probe.file === file),
      path,
    );
    if (text === before) continue;
    writeOutputFile(file, text, base);
    lines.push(`provest: ${file}: ${added} probe${added === 1 ? '' : 's'} added`);
  }
  return lines;
}

/** Pure. `probe` may be several statements, a line each; one that is there, in whatever layout, is not added again. */
export function withProbes(
  text: string,
  probes: readonly ProbeToWrite[],
  path: string,
): { readonly text: string; readonly added: number } {
  const { source, double } = parseTestFile(text, path);
  let added = 0;
  for (const variable of new Set(probes.map((probe) => probe.variable))) {
    const statement = declarationOf(source, variable)?.getVariableStatement();
    if (!statement) continue;
    const there = fingerprint(source.getFullText());
    const wanted = new Map(
      probes
        .filter((probe) => probe.variable === variable)
        .flatMap(({ probe }) => probe.split('\n'))
        .map((line) => [fingerprint(line), line]),
    );
    const missing = [...wanted].filter(([print]) => !there.includes(print)).map(([, line]) => line);
    const { indentation } = lineOf(source.getFullText(), statement.getStart());
    source.insertText(
      statement.getEnd(),
      missing.map((line) => `\n${indentation}${double ? doubleQuoted(line) : line}`).join(''),
    );
    added += missing.length;
  }
  return { text: source.getFullText(), added };
}

function lineOf(text: string, at: number): { readonly indentation: string } {
  return { indentation: /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0] };
}

/** Pure: the text of a test file with the tests in it. `duplicates` counts repetitions among `tests`. */
export function withTests(
  text: string,
  tests: readonly TestToWrite[],
  path: string,
): { readonly text: string; readonly added: number; readonly duplicates: number } {
  const { source, double, unit } = parseTestFile(text, path);
  const written = new Set<string>();
  let added = 0;
  let duplicates = 0;
  for (const { variable, test } of tests) {
    const id = hash(`${variable}\0${fingerprint(test)}`);
    if (written.has(id)) {
      duplicates++;
      continue;
    }
    // Its own marker, or the same calls in a test that is there, whatever it calls its objects.
    if (source.getFullText().includes(`${marker} ${id} `) || bodies(source).some((body) => body.includes(bodyOf(test))))
      continue;
    const block = blockOf(source, variable);
    const named = withNameOfItsOwn(test.trim(), source);
    const code = indent(double ? doubleQuoted(named) : named, unit);
    block.addStatements([
      `\n// ${marker} ${id} (yours from now on: edit or delete it; it is not written again while this line is here)`,
      code,
    ]);
    written.add(id);
    added++;
  }
  return { text: source.getFullText(), added, duplicates };
}

/** A file by statements, with its quotes and its indentation. */
export function parseTestFile(
  text: string,
  path: string,
): { readonly source: SourceFile; readonly double: boolean; readonly unit: IndentationText } {
  const unit = indentation(text);
  const project = new Project({
    useInMemoryFileSystem: true,
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, types: [], allowJs: true },
    manipulationSettings: {
      indentationText: unit,
      quoteKind: text.split('"').length > text.split("'").length ? QuoteKind.Double : QuoteKind.Single,
    },
  });
  const source = project.createSourceFile(path.replace(/\\/g, '/'), text);
  return { source, unit, double: project.manipulationSettings.getQuoteKind() === QuoteKind.Double };
}

/** The declaration of a variable that a `loadC` initialises. */
export function declarationOf(source: SourceFile, variable: string): VariableDeclaration | undefined {
  return source
    .getDescendants()
    .find(
      (node): node is VariableDeclaration =>
        Node.isVariableDeclaration(node) &&
        node.getName() === variable &&
        /\bloadC\b/.test(node.getInitializer()?.getText() ?? ''),
    );
}

/** A generated test whose module is called otherwise in the file it is for. */
export function withVariable(test: string, from: string, to: string): string {
  if (from === to) return test;
  const { source } = parseTestFile(test, 'test.js');
  for (const node of source.getDescendants().reverse()) {
    const parent = node.getParent();
    if (
      Node.isIdentifier(node) &&
      node.getText() === from &&
      Node.isPropertyAccessExpression(parent) &&
      parent.getExpression() === node
    )
      node.replaceWithText(to);
  }
  return source.getFullText();
}

/** The describe body in which the module is loaded, or the file. */
function blockOf(source: SourceFile, variable: string): { addStatements(statements: readonly string[]): unknown } {
  const declaration = declarationOf(source, variable);
  const call = declaration?.getFirstAncestor(
    (node): node is CallExpression => Node.isCallExpression(node) && /^describe\b/.test(node.getExpression().getText()),
  );
  const body = call
    ?.getArguments()
    .find((argument) => Node.isArrowFunction(argument) || Node.isFunctionExpression(argument));
  const block = body && (Node.isArrowFunction(body) || Node.isFunctionExpression(body)) ? body.getBody() : undefined;
  return block && Node.isBlock(block) ? block : source;
}

/** Two failures of one line may have one message. */
function withNameOfItsOwn(test: string, source: SourceFile): string {
  const titles = new Set(
    source.getDescendants().flatMap((node) => {
      const title =
        Node.isCallExpression(node) && /^(test|it)\b/.test(node.getExpression().getText())
          ? node.getArguments()[0]
          : undefined;
      return title ? [fingerprint(title.getText())] : [];
    }),
  );
  return test.replace(/^test\('((?:[^'\\]|\\.)*)'/, (unchanged, title: string) => {
    if (!titles.has(fingerprint(title))) return unchanged;
    let number = 2;
    while (titles.has(fingerprint(`${title} (${number})`))) number++;
    return `test('${title} (${number})'`;
  });
}

/** The calls of a generated test, without its title. */
function bodyOf(test: string): string {
  return fingerprint(numberConstants(test.slice(test.indexOf('{') + 1, test.lastIndexOf('}'))));
}

/** Bodies of the functions in the file. */
function bodies(source: SourceFile): string[] {
  return source
    .getDescendants()
    .flatMap((node) =>
      Node.isArrowFunction(node) || Node.isFunctionExpression(node)
        ? [fingerprint(numberConstants(node.getBody().getText()))]
        : [],
    );
}

/** Constants by number, in their order. */
function numberConstants(code: string): string {
  return [...code.matchAll(/\bconst (\w+) =/g)].reduce(
    (text, [, name], i) => text.replace(new RegExp(`\\b${name!}\\b(?!:)`, 'g'), `$${i}`),
    code,
  );
}

/** Text that formatters leave alone: no white space, quotes, semicolons, trailing commas or comments. */
function fingerprint(text: string): string {
  return text
    .replace(/\/\/[^\n]*/g, '')
    .replace(/[\s;'"`]/g, '')
    .replace(/,([)\]}])/g, '$1');
}

function doubleQuoted(code: string): string {
  return code.replace(
    /'((?:[^'\\\n]|\\.)*)'/g,
    (_, inner: string) => `"${inner.replace(/\\'/g, "'").replace(/"/g, '\\"')}"`,
  );
}

function indentation(text: string): IndentationText {
  const first = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  if (first.startsWith('\t')) return IndentationText.Tab;
  return first.length >= 8
    ? IndentationText.EightSpaces
    : first.length >= 4
      ? IndentationText.FourSpaces
      : IndentationText.TwoSpaces;
}

/** Generated code is indented by two spaces. */
function indent(code: string, unit: IndentationText): string {
  return code.replace(/^(?: {2})+/gm, (spaces) => unit.repeat(spaces.length / 2));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
