/** Puts an option into the `loadC` of a test file, such as a precondition that the user has accepted. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Node, type ObjectLiteralExpression, type PropertyAssignment } from 'ts-morph';
import { writeOutputFile } from './outputFile';
import { declarationOf, parseTestFile } from './writeTests';

export interface OptionToWrite {
  readonly file: string;
  /** The variable that holds the module. */
  readonly variable: string;
  /** Properties of the options of `loadC`. */
  readonly code: string;
}

/**
 * Says what it did, a line per file, and what a person has to write. Files change only when their contents do. Throws
 * `OutputError`.
 */
export function writeOptions(options: readonly OptionToWrite[], base = process.cwd()): string[] {
  const lines: string[] = [];
  for (const file of [...new Set(options.map((option) => option.file))].sort()) {
    const path = resolve(base, file);
    if (!existsSync(path)) continue;
    const before = readFileSync(path, 'utf8');
    let text = before;
    let count = 0;
    for (const { variable, code } of options.filter((option) => option.file === file)) {
      const changed = withOption(text, variable, code, path);
      if (changed === undefined)
        lines.push(`provest: ${file}: the options of ${variable} are not written in its loadC; add there: ${code}`);
      else if (changed !== text) {
        text = changed;
        count++;
      }
    }
    if (text === before) continue;
    writeOutputFile(file, text, base);
    lines.push(`provest: ${file}: ${count} specification${count === 1 ? '' : 's'} accepted`);
  }
  return lines;
}

/**
 * Pure. `code`: properties as they are written in an object, `requires: { push: 'q != NULL' }`. What is there stays: a
 * second condition on one function joins the first by `&&`. Undefined when the file does not say its options in a way
 * that can be added to; then a person has to.
 */
export function withOption(text: string, variable: string, code: string, path: string): string | undefined {
  const { source, double } = parseTestFile(text, path);
  const call = declarationOf(source, variable)?.getInitializer();
  const loading = call && Node.isCallExpression(call) ? call : undefined;
  if (!loading) return undefined;
  const [, options] = loading.getArguments();
  const wanted = double ? code.replace(/'([^'"\\\n]*)'/g, '"$1"') : code;
  if (!options) {
    loading.addArgument(`{ ${wanted} }`);
    return source.getFullText();
  }
  if (!Node.isObjectLiteralExpression(options)) return undefined;
  const given = parseTestFile(`const given = { ${wanted} };`, 'given.ts')
    .source.getVariableDeclaration('given')
    ?.getInitializer();
  if (!given || !Node.isObjectLiteralExpression(given)) return undefined;
  return merge(options, given) ? source.getFullText() : undefined;
}

/** `joins`: the option of `loadC` that holds conditions, of which there may be several. */
function merge(into: ObjectLiteralExpression, given: ObjectLiteralExpression, joins = false): boolean {
  return given.getProperties().every((property) => {
    if (!Node.isPropertyAssignment(property)) return false;
    const there = into.getProperties().find((one) => nameOf(one) === nameOf(property));
    if (!there) {
      into.addPropertyAssignment({ name: property.getName(), initializer: property.getInitializerOrThrow().getText() });
      return true;
    }
    const isCondition = joins || ['requires', 'ensures', 'possible'].includes(property.getName());
    return Node.isPropertyAssignment(there) && mergeValues(there, property, isCondition);
  });
}

function mergeValues(there: PropertyAssignment, property: PropertyAssignment, joins: boolean): boolean {
  const [old, more] = [there.getInitializer(), property.getInitializer()];
  if (Node.isObjectLiteralExpression(old) && Node.isObjectLiteralExpression(more)) return merge(old, more, joins);
  if (!Node.isStringLiteral(old) || !Node.isStringLiteral(more)) return false;
  const [first, second] = [old.getLiteralText(), more.getLiteralText()];
  if (first.split(' && ').includes(second) || first === second) return true;
  if (!joins) return false;
  // A suggestion says again what was given.
  const isMore = [first, joined(first)].some((given) => second.startsWith(`${given} && `));
  old.setLiteralValue(isMore ? second : `${joined(first)} && ${joined(second)}`);
  return true;
}

const joined = (condition: string): string => (/\|\||\?|,/.test(condition) ? `(${condition})` : condition);

function nameOf(node: Node): string | undefined {
  return Node.isPropertyAssignment(node) || Node.isShorthandPropertyAssignment(node) || Node.isMethodDeclaration(node)
    ? node.getName().replace(/^['"]|['"]$/g, '')
    : undefined;
}
