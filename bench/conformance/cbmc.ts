/**
 * CBMC on a conformance program: once with a known unwinding, to check the verdict written in the program, and once
 * with growing ones, as somebody would use it, to be measured beside us.
 *
 * The vocabulary of the programs is put into CBMC's: calls of the error functions become assertions on their line,
 * assumptions that CBMC does not know are defined behind the program, a module gets a client that makes some calls.
 * Lines stay what they are.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Property } from '../../src/program/command';
import { cbmcFlags } from '../../src/cli/secondOpinion/cbmc';
import type { Subject } from './contestants';

export interface CbmcOptions {
  /** The folder of the executable. */
  readonly bin: string;
  readonly unwind: number;
  readonly timeoutMs: number;
  /** Numbers replaced throughout the program, to make bounds small. */
  readonly scale?: ReadonlyMap<string, string>;
  /** Module mode: calls of the client. */
  readonly calls?: number;
  /** Checks of all properties, not only of those of the program. */
  readonly allChecks?: boolean;
}

export type CbmcAnswer =
  | {
      readonly kind: 'checked';
      /** Every loop and recursion ended within the unwinding. */
      readonly complete: boolean;
      readonly failing: readonly { readonly property: Property; readonly line: number }[];
      readonly seconds: number;
    }
  | { readonly kind: 'none'; readonly why: string; readonly seconds: number };

export async function runCbmc(program: Subject, options: CbmcOptions): Promise<CbmcAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  try {
    const file = join(folder, basename(program.path));
    // The programs of suites stay as they are; what they call is defined in a file beside them.
    const files = program.files === undefined ? [file] : [...program.files, join(folder, 'vocabulary.c')];
    if (program.files === undefined) writeFileSync(file, inCbmcsWords(program, options));
    else writeFileSync(files.at(-1)!, vocabulary(program.files.map((path) => readFileSync(path, 'utf8')).join('\n')));
    const properties: readonly Property[] = options.allChecks
      ? ['memsafety', 'overflow', 'div-by-zero']
      : program.properties;
    const output = await new Promise<string | undefined>((done) => {
      execFile(
        join(options.bin, 'cbmc'),
        [
          ...files,
          '--no-standard-checks',
          ...(program.mallocMayFail ? ['--malloc-may-fail', '--malloc-fail-null'] : ['--no-malloc-may-fail']),
          '--unwinding-assertions',
          '--slice-formula',
          '--json-ui',
          '--verbosity',
          '4',
          ...properties.flatMap((property) => cbmcFlags[property]),
          '--unwind',
          String(options.unwind),
          '--function',
          program.entry ?? clientName,
          program.dataModel === 'lp64' ? '--LP64' : '--ILP32',
          ...(program.include ?? []).flatMap((path) => ['-I', path]),
          ...(program.define ?? []).flatMap((definition) => ['-D', definition]),
        ],
        { timeout: Math.ceil(options.timeoutMs), killSignal: 'SIGKILL', maxBuffer: 1 << 28 },
        (error, stdout) => done(error?.killed ? undefined : stdout),
      );
    });
    if (output === undefined) return { kind: 'none', why: 'timeout', seconds: seconds() };
    return { ...readAnswer(output, basename(file), program.files !== undefined), seconds: seconds() } as CbmcAnswer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface CbmcResult {
  readonly property: string;
  readonly status: string;
  readonly sourceLocation?: { readonly file?: string; readonly line?: string };
}

function readAnswer(
  output: string,
  file: string,
  suite: boolean,
):
  | {
      readonly kind: 'checked';
      readonly complete: boolean;
      readonly failing: readonly { property: Property; line: number }[];
    }
  | { readonly kind: 'none'; readonly why: string } {
  let messages: readonly {
    readonly result?: readonly CbmcResult[];
    readonly messageType?: string;
    readonly messageText?: string;
  }[];
  try {
    messages = JSON.parse(output) as typeof messages;
  } catch {
    return { kind: 'none', why: `no JSON: ${output.slice(-200)}` };
  }
  const results = messages.flatMap(({ result }) => result ?? []);
  const error = messages.find(({ messageType }) => messageType === 'ERROR');
  if (error) return { kind: 'none', why: error.messageText ?? 'error' };
  if (!messages.some(({ result }) => result)) return { kind: 'none', why: 'no result' };
  // A function without a body is no failure.
  const failed = results.filter(({ status, property }) => status === 'FAILURE' && !property.includes('.no-body.'));
  const isUnwinding = ({ property }: CbmcResult): boolean => /\.(unwind|recursion)(\.\d+)?$/.test(property);
  const failing: { property: Property; line: number }[] = [];
  for (const result of failed) {
    if (isUnwinding(result)) continue;
    const inFile = basename(result.sourceLocation?.file ?? '') === file;
    const property = propertyOfCheck(result.property, suite || inFile);
    if (property === undefined) return { kind: 'none', why: `${result.property} fails, which is no property here` };
    failing.push({ property, line: inFile ? Number(result.sourceLocation?.line) : 0 });
  }
  return { kind: 'checked', complete: !failed.some(isUnwinding), failing };
}

/** From `main.pointer_dereference.3`. Assertions of CBMC's own library are about memory. */
function propertyOfCheck(id: string, own: boolean): Property | undefined {
  const kind = /\.([\w-]+)\.\d+$/.exec(id)?.[1] ?? '';
  switch (kind) {
    case 'overflow':
    case 'undefined-shift':
      return 'overflow';
    case 'division-by-zero':
      return 'div-by-zero';
    case 'memory-leak':
      return 'leak';
    case 'assertion':
      return own ? 'reach' : 'memsafety';
    case 'bounds-check':
    case 'array_bounds':
    case 'pointer_dereference':
    case 'pointer_arithmetic':
    case 'pointer_primitives':
    case 'precondition_instance':
    case 'precondition':
    case 'pointer':
    case 'bounds':
      return 'memsafety';
    default:
      return undefined;
  }
}

/** Definitions of what the verifiers' programs call and do not define themselves. */
function vocabulary(text: string): string {
  const truth = /seahorn\.h|__VERIFIER_assert\s*\(\s*(_Bool|bool)/.test(text) ? '_Bool' : 'int';
  const known: readonly (readonly [string, string])[] = [
    ...['__VERIFIER_error', 'reach_error', '__SMACK_error', 'error'].map(
      (name) => [name, `void ${name}(void) { __CPROVER_assert(0, "error"); __CPROVER_assume(0); }`] as const,
    ),
    ['__VERIFIER_assert', `void __VERIFIER_assert(${truth} condition) { __CPROVER_assert(condition, "assertion"); }`],
    [
      '__VERIFIER_assert_not',
      'void __VERIFIER_assert_not(_Bool condition) { __CPROVER_assert(!condition, "assertion"); }',
    ],
    [
      '__VERIFIER_assert_if',
      'void __VERIFIER_assert_if(_Bool condition, _Bool then) { __CPROVER_assert(!condition || then, "assertion"); }',
    ],
    [
      'sea_assert_if',
      'void sea_assert_if(_Bool condition, _Bool then) { __CPROVER_assert(!condition || then, "assertion"); }',
    ],
    ['__VERIFIER_assume', 'void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }'],
    ['__SEA_assume', 'void __SEA_assume(_Bool condition) { __CPROVER_assume(condition); }'],
    ['assume', 'void assume(int condition) { __CPROVER_assume(condition); }'],
  ];
  const defined = (name: string): boolean =>
    new RegExp(`\\b${name}\\s*\\([^;{}]*\\)\\s*\\{`).test(text) || new RegExp(`#\\s*define\\s+${name}\\b`).test(text);
  return `${known
    .filter(([name]) => !defined(name))
    .map(([, definition]) => definition)
    .join('\n')}\n`;
}

const clientName = 'client_of_the_module';

function inCbmcsWords(program: Subject, { scale, calls = 4 }: CbmcOptions): string {
  let text = program.text.replace(/\b(reach_error|__VERIFIER_error|error)\(\);/g, '__CPROVER_assert(0, "error");');
  text = text.replace(/^extern void (__CPROVER_\w+|assert)\(.*$/gm, '').replace(/(?<!#.*)\b__ESBMC_/g, '__CPROVER_');
  if (/^extern void __CPROVER_/m.test(text)) text = text.replace(/^extern void __CPROVER_.*$/gm, '');
  if (/extern void assert\(/.test(program.text))
    text = text.replace(/\bassert\((.*)\);/g, '__CPROVER_assert($1, "assertion");');
  if (/^extern void __VERIFIER_assert\(/m.test(program.text))
    text = text
      .replace(/^extern void __VERIFIER_assert\(.*$/gm, '')
      .replace(/\b__VERIFIER_assert\((.*)\);/g, '__CPROVER_assert($1, "assertion");');
  for (const [from, to] of scale ?? []) text = text.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
  const behind: string[] = [];
  for (const name of ['assume', '__VERIFIER_assume'])
    if (new RegExp(`extern void ${name}\\(`).test(text))
      behind.push(`void ${name}(int condition) { __CPROVER_assume(condition); }`);
  if (program.mode === 'module') behind.push(clientOf(text, program.init, calls));
  return `${text}\n${behind.join('\n')}\n`;
}

/** A client that makes calls with arbitrary numbers, and with pointers that are null or lead to one of two objects. */
function clientOf(text: string, init: string | undefined, calls: number): string {
  const functions = [...text.matchAll(/^(?!static)[\w ]+?[ *](\w+)\(([^)]*)\) \{/gm)].map(([, name, parameters]) => ({
    name: name!,
    parameters: parameters === 'void' ? [] : parameters!.split(',').map((p) => p.trim()),
  }));
  const objects: string[] = [];
  const call = ({ name, parameters }: (typeof functions)[number]): string =>
    `${name}(${parameters
      .map((parameter) => {
        const type = parameter
          .replace(/\w+$/, '')
          .replace(/\bconst\b/, '')
          .trim();
        if (!type.endsWith('*')) return `any_int()`;
        const pointed = type.slice(0, -1).trim();
        const known = objects.indexOf(pointed);
        const n = known >= 0 ? known : objects.push(pointed) - 1;
        return `(any_int() ? 0 : any_int() ? &object${n}a : &object${n}b)`;
      })
      .join(', ')});`;
  const choices = functions.filter(({ name }) => name !== init).map((fn, i) => `      case ${i}: ${call(fn)} break;`);
  const first = functions.find(({ name }) => name === init);
  const begin = first ? `  ${call(first)}\n` : '';
  return [
    'extern int any_int(void);',
    `void ${clientName}(void) {`,
    // Uninitialised, that is, with any contents.
    ...objects.map((type, n) => `  ${type} object${n}a, object${n}b;`),
    `${begin}  for (int call = 0; call < ${calls}; call++) {`,
    '    switch (any_int()) {',
    ...choices,
    '    }',
    '  }',
    '}',
  ].join('\n');
}
