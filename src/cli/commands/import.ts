/** `provest import tests.c`: tests of Unity or CMocka as tests of Jest. */
import type { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { formatDiagnostic } from '../../c/diagnostics/diagnostic';
import { decodeSource } from '../../c/tokens/sourceBytes';
import { flagsAsOptions } from '../../buildFlags';
import { moduleVariable } from '../../host/printing/moduleVariable';
import type { Program } from '../../program/program';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';
import { importTests } from '../importTests/importTests';
import type { TestedModule } from '../importTests/translate';
import { InputError } from '../inputError';
import { addLoadOptions, existingCFile, loadOptions, type LoadFlags } from '../loadOptions';
import { checkOutput, writeOutput } from '../outputFile';
import type { Terminal } from '../terminal';

export interface ImportFlags extends LoadFlags {
  readonly module?: string;
  readonly out?: string;
}

export function addImportOptions(command: Command): Command {
  return addLoadOptions(
    command
      .description('turn a file of Unity or CMocka tests into a Jest file; what cannot be turned is kept as a comment')
      .argument('<tests>', 'C file with the tests')
      .option('--module <file>', 'C file that they test (default: of test_stack.c, stack.c beside it or in src)')
      .option('--out <file>', 'write the Jest file here; without it, it is printed'),
  ).addHelpText('after', '\nExample:\n  provest import test/test_stack.c --module src/stack.c --out stack.test.js');
}

export function importFile(tests: string, flags: ImportFlags, terminal: Terminal, backend: Backend): ExitCode {
  const { cwd } = terminal;
  const file = existingCFile(tests, cwd);
  const load = loadOptions(flags, cwd);
  const module = flags.module === undefined ? guessedModule(file) : existingCFile(flags.module, cwd);
  if (flags.out !== undefined) {
    checkOutput(flags.out, cwd);
    if (existsSync(resolve(cwd, flags.out)))
      throw new InputError(`${flags.out} is there already: it is not overwritten`, 'choose another name for --out');
  }
  const folder = dirname(resolve(cwd, flags.out ?? file));
  const program = backend.loadProgram([module], { ...load, externals: 'any' });
  const from = relative(folder, module).split(sep).join('/');
  const { include = [], define, dataModel, standard } = load;
  const macros = Object.fromEntries(
    Object.entries(define ?? {}).map(([name, value]) => [name, value === true ? value : String(value)]),
  );
  const flagsOfC = flagsAsOptions({ include, define: macros }, folder);
  const options = [
    ...(flagsOfC === undefined ? [] : [flagsOfC.slice(2, -2)]),
    ...(dataModel === undefined ? [] : [`dataModel: '${dataModel}'`]),
  ].join(', ');
  const imported = importTests({
    file,
    text: decodeSource(readFileSync(file)),
    module: from.startsWith('.') ? from : `./${from}`,
    loadOptions: options === '' ? undefined : `{ ${options} }`,
    tested: testedModule(program, moduleVariable([module])),
    head: /\.[mc]?ts$|\.mjs$/.test(flags.out ?? '')
      ? "import { loadC } from 'provest';"
      : "const { loadC } = require('provest');",
    options: {
      include: [...include, dirname(module)],
      ...(define && { define }),
      ...(dataModel && { dataModel }),
      ...(standard && { standard }),
      idioms: true,
    },
    readFile: (path) => (existsSync(path) ? decodeSource(readFileSync(path)) : undefined),
  });
  if ('error' in imported)
    throw new InputError(
      `${tests} cannot be read as C: a header with its types is missing, or a macro of the tests is not defined` +
        (imported.error ? `\n${formatDiagnostic(imported.error)}` : ''),
      'name the folders of its headers with -I, and macros with -D',
    );
  const { translated, left, missing, text } = imported;
  if (flags.out === undefined) terminal.out(text);
  else writeOutput(flags.out, text, cwd);
  terminal.err(
    [
      `${translated} test${translated === 1 ? '' : 's'} translated` +
        `${left.length === 0 ? '' : `, ${left.length} function${left.length === 1 ? '' : 's'} kept as a comment:`}`,
      ...left.map(({ name, line, why }) => `  line ${line}: ${name}: ${why}`),
      ...(missing.length === 0 ? [] : [`headers that were not found and taken to be empty: ${missing.join(', ')}`]),
      ...(flags.out === undefined ? [] : [`${flags.out}: written; run it: npx jest ${flags.out}`]),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  return exitCode.proved;
}

/** `test_stack.c`, `stack_test.c`, `TestStack.c`: `stack.c` beside it, in `src`, or in a `src` beside its folder. */
function guessedModule(file: string): string {
  const name = basename(file, '.c');
  const stem = name.replace(/^(?:unit_?)?tests?_?(?=.)|_?(?:unit)?_?tests?$/gi, '');
  const folder = dirname(file);
  const found = [stem, stem.charAt(0).toLowerCase() + stem.slice(1)]
    .flatMap((one) => ['.', 'src', '..', '../src', '../../src', '../lib'].map((near) => join(folder, near, `${one}.c`)))
    .find((path) => path !== file && existsSync(path));
  if (found === undefined)
    throw new InputError(`which C file ${basename(file)} tests is not known`, 'name it: --module src/stack.c');
  return found;
}

function testedModule(program: Program, variable: string): TestedModule {
  const functions = new Map(program.functions.filter(({ library }) => !library).map((fn) => [fn.name, fn]));
  return {
    variable,
    isFunction: (name) => functions.has(name),
    isStatic: (name) => functions.get(name)?.linkage === 'internal',
    isVariable: (name) => program.symbols.has(name),
    isConstant: (name) => program.enumConstants.has(name),
    resultKind(name) {
      const result = functions.get(name)?.ctype;
      if (result?.kind !== 'function') return undefined;
      const type = result.result;
      if (type.kind === 'pointer') return 'pointer';
      if (type.kind !== 'integer') return 'number';
      return type.name === 'bool' ? 'boolean' : type.widthBits > 32 ? 'wide' : 'number';
    },
  };
}
