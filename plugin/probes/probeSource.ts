/**
 * The text of a probe: as it runs (for the formula) and as the user wrote it (for messages, and when a compiler left a
 * shape the translator does not know). The written one is found in the original file at the call site.
 */
import { codeFrameColumns } from '@babel/code-frame';
import { parse, parseExpression } from '@babel/parser';
import type { File, Node } from '@babel/types';
import { relative } from 'node:path';
import type { CallSite } from '../api/callSite';
import { fs } from '../../src/node';
import { UntranslatableProbe } from './probePart';
import type { FunctionNode } from './translateProbe';

/** The function as it runs. */
export function runningFunction(fn: (...args: never[]) => unknown): FunctionNode {
  const text = Function.prototype.toString.call(fn);
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text))
    throw new UntranslatableProbe(
      'this function has no source text (bound or built in); write an arrow function',
      undefined,
    );
  // A method's text is no expression by itself.
  for (const candidate of [`(${text})`, `({${text}})`]) {
    try {
      const node = parseExpression(candidate);
      const inner = node.type === 'ObjectExpression' ? node.properties[0] : node;
      if (
        inner?.type === 'ArrowFunctionExpression' ||
        inner?.type === 'FunctionExpression' ||
        inner?.type === 'ObjectMethod'
      )
        return inner;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new UntranslatableProbe('this function cannot be read; write an arrow function', undefined);
}

const parsed = new Map<string, { readonly text: string; readonly file: File } | undefined>();

function originalFile(path: string): { readonly text: string; readonly file: File } | undefined {
  if (!parsed.has(path)) {
    let entry: { readonly text: string; readonly file: File } | undefined;
    try {
      const text = fs.readFileSync(path, 'utf8');
      entry = {
        text,
        file: parse(text, {
          sourceType: 'unambiguous',
          plugins: ['typescript', ...(path.endsWith('x') ? ['jsx' as const] : [])],
          errorRecovery: true,
        }),
      };
    } catch {
      entry = undefined; // not there, or not TypeScript: messages do without a frame
    }
    parsed.set(path, entry);
  }
  return parsed.get(path);
}

/**
 * The functions given to the call at a place of the original file. `pick` chooses among the functions inside the call.
 */
export function writtenFunction(
  site: CallSite,
  pick: (path: readonly string[], index: number) => boolean,
): FunctionNode | undefined {
  const original = originalFile(site.file);
  if (!original) return undefined;
  const call = innermostCall(original.file, site);
  if (!call || call.type !== 'CallExpression') return undefined;
  let found: FunctionNode | undefined;
  const visit = (node: Node, path: readonly string[], index: number): void => {
    if (found) return;
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'ObjectMethod') {
      const key = node.type === 'ObjectMethod' && node.key.type === 'Identifier' ? [...path, node.key.name] : path;
      if (pick(key, index)) found = node;
    } else if (node.type === 'ObjectExpression') {
      for (const property of node.properties) {
        if (property.type === 'ObjectMethod') visit(property, path, 0);
        else if (
          property.type === 'ObjectProperty' &&
          (property.key.type === 'Identifier' || property.key.type === 'StringLiteral')
        ) {
          visit(
            property.value,
            [...path, property.key.type === 'Identifier' ? property.key.name : property.key.value],
            0,
          );
        }
      }
    } else if (node.type === 'ArrayExpression')
      node.elements.forEach((element, i) => element && visit(element, path, i));
    else if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
      visit(node.expression, path, index);
  };
  call.arguments.forEach((argument) => visit(argument, [], 0));
  return found;
}

/** The variable that a call's result is bound to: `const stack = loadC(…)`, or `stack = loadC(…)`. */
export function variableAt(site: CallSite): string | undefined {
  const original = originalFile(site.file);
  let name: string | undefined;
  const isCall = (value: Node): boolean => {
    switch (value.type) {
      case 'CallExpression':
        return contains(value, site) && !value.arguments.some((argument) => contains(argument, site));
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        return isCall(value.expression);
      default:
        return false;
    }
  };
  if (original) {
    walk(original.file, (node) => {
      if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init && isCall(node.init))
        name = node.id.name;
      if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier' && isCall(node.right))
        name = node.left.name;
    });
  }
  return name;
}

/** `file:line: message` with the code frame at a node of the original file. */
export function describeProbeError(
  what: string,
  message: string,
  site: CallSite | undefined,
  node: Node | undefined,
): string {
  const original = site && originalFile(site.file);
  const place = site ? `${relative(process.cwd(), site.file)}:${node?.loc?.start.line ?? site.line}: ` : '';
  const start = node?.loc
    ? { line: node.loc.start.line, column: node.loc.start.column + 1 }
    : site && { line: site.line, column: site.column };
  const end =
    node?.loc && node.loc.end.line === node.loc.start.line
      ? { line: node.loc.end.line, column: node.loc.end.column + 1 }
      : undefined;
  const frame =
    original && start
      ? `\n${codeFrameColumns(original.text, { start, ...(end && { end }) }, { linesAbove: 1, linesBelow: 1 })}`
      : '';
  return `${place}${what}: ${message}${frame}`;
}

function innermostCall(file: File, site: CallSite): Node | undefined {
  let best: Node | undefined;
  walk(file, (node) => {
    if (node.type !== 'CallExpression' || !contains(node, site)) return;
    best = node;
  });
  return best;
}

/**
 * Stack columns name the callee's last identifier or the call's start, depending on the engine: any place inside the
 * call will do.
 */
function contains(node: Node, { line, column }: CallSite): boolean {
  const { loc } = node;
  if (!loc) return false;
  const after = line > loc.start.line || (line === loc.start.line && column - 1 >= loc.start.column);
  const before = line < loc.end.line || (line === loc.end.line && column - 1 < loc.end.column);
  return after && before;
}

/** Parents before children. */
function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (
        typeof child === 'object' &&
        child !== null &&
        'type' in child &&
        typeof child.type === 'string' &&
        'loc' in child
      )
        walk(child as Node, visit);
    }
  }
}
