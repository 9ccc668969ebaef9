/**
 * The regression programs of other verifiers, with the verdicts as these write them down. Every notation is recognised
 * by itself, so a folder may mix them:
 *
 *   SV-COMP   task.yml: input_files, properties with expected_verdict, options.data_model
 *   CBMC, 2LS test.desc: the files on the second line, options on the third, then ^VERIFICATION SUCCESSFUL$ or
 *   ^VERIFICATION FAILED$
 *   ESBMC     the same without an exit code, and with options of its own
 *   SMACK     // @expect verified|error, flags in // @flag and in the config.yml of the folders above
 *   SeaHorn   // RUN: ... and // CHECK: ^unsat$ (no error is reached) or ^sat$
 *   Ultimate  //#Safe or //#Unsafe in the first line; of memory where no error is called
 *   else      what `otherwise` says, as for sets whose programs are all safe
 *
 * Programs whose verdict is about something else (termination, threads, a synthesised function) are left out, with a
 * line that says why.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parse } from 'yaml';
import type { Property } from '../../src/program/command';
import type { ConformanceProgram, Expectation } from '../../test/conformance/programs';

export interface SuiteProgram extends ConformanceProgram {
  /** All files, the first one is `path`. */
  readonly files: readonly string[];
  readonly include: readonly string[];
  readonly define: readonly string[];
  /** Every `malloc` may give null. */
  readonly mallocMayFail?: boolean;
  /** Implicit `int` and the rest of older C are allowed. */
  readonly old?: boolean;
}

export interface SuiteOptions {
  readonly include: readonly string[];
  readonly define: readonly string[];
  /** For programs without a verdict of their own; undefined leaves them out. */
  readonly otherwise?: 'proved' | 'bug' | undefined;
  /**
   * In descriptions all of CBMC 6's usual checks are on unless switched off; 2LS and older CBMC have none by
   * themselves.
   */
  readonly standardChecks?: boolean;
  /**
   * Verdicts that replace the suite's, by id: where its reading of C is another one, or it is wrong. `folder/` stands
   * for all in it.
   */
  readonly verdicts?: ReadonlyMap<string, 'proved' | 'bug' | 'skip'>;
}

type Found = Omit<SuiteProgram, 'id' | 'theme' | 'text' | 'include' | 'define' | 'mode' | 'init' | 'oracle'> & {
  readonly include?: readonly string[];
  readonly define?: readonly string[];
};

export function readSuite(folder: string, options: SuiteOptions): readonly SuiteProgram[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const described = new Set<string>();
  const programs: SuiteProgram[] = [];
  const add = (found: Found | string | undefined, name: string): void => {
    if (found === undefined) return;
    if (typeof found === 'string') {
      console.error(`${name}: left out, ${found}`);
      return;
    }
    const id = name
      .split(sep)
      .join('/')
      .replace(/\.(c|yml|desc)$/, '')
      .replace(/\/test$/, '');
    const replaced =
      options.verdicts?.get(id) ??
      [...(options.verdicts ?? [])].find(([key]) => key.endsWith('/') && id.startsWith(key))?.[1];
    if (replaced === 'skip') {
      console.error(`${id}: left out, as the list of verdicts says`);
      return;
    }
    programs.push({
      ...found,
      id,
      theme: id.includes('/') ? id.slice(0, id.indexOf('/')) : '',
      text: readFileSync(found.path, 'utf8'),
      mode: 'program',
      init: undefined,
      oracle: 'suite',
      include: [...options.include, ...(found.include ?? [])],
      define: [...options.define, ...(found.define ?? [])],
      ...(replaced && { expect: expectation(replaced) }),
    });
  };
  for (const name of names.filter((n) => n.endsWith('.desc'))) {
    const path = join(folder, name),
      lines = readFileSync(path, 'utf8').split(/\r?\n/);
    const found = lines.some((line) => line.startsWith('^EXIT='))
      ? readDescription(path, lines, options.standardChecks ?? false)
      : readEsbmcDescription(path, lines);
    for (const file of readdirSync(dirname(path))) described.add(join(dirname(path), file));
    add(found, name);
  }
  for (const name of names.filter((n) => n.endsWith('.yml'))) {
    const tasks = readTask(join(folder, name));
    for (const found of Array.isArray(tasks) ? tasks : [tasks]) {
      if (found === undefined || typeof found === 'string') {
        add(found, name);
        continue;
      }
      for (const file of found.files) described.add(file);
      add(
        found,
        Array.isArray(tasks) && tasks.length > 1 ? `${name.slice(0, -4)}.${found.properties.join('+')}` : name,
      );
    }
  }
  for (const name of names.filter((n) => n.endsWith('.c') && !described.has(join(folder, n))))
    add(readMarked(folder, join(folder, name), options.otherwise), name);
  return programs;
}

const expectation = (verdict: 'proved' | 'bug'): Expectation =>
  verdict === 'proved' ? { kind: 'proved' } : { kind: 'bug', line: undefined };

// CBMC and 2LS

const checkOptions: Readonly<Record<string, readonly Property[]>> = {
  '--pointer-check': ['memsafety'],
  '--bounds-check': ['memsafety'],
  '--pointer-overflow-check': ['memsafety'],
  '--pointer-primitive-check': ['memsafety'],
  '--signed-overflow-check': ['overflow'],
  '--undefined-shift-check': ['overflow'],
  '--div-by-zero-check': ['div-by-zero'],
  '--memory-leak-check': ['leak'],
  '--memory-cleanup-check': ['leak'],
};
const usualChecks: Readonly<Record<string, Property>> = {
  pointer: 'memsafety',
  bounds: 'memsafety',
  'signed-overflow': 'overflow',
  'undefined-shift': 'overflow',
  'div-by-zero': 'div-by-zero',
};

/** Options that ask for what is no property here, or that change what the program is. */
const otherQuestion = new RegExp(
  '^--(' +
    'termination|nontermination|preconditions|show-|cover|unsigned-overflow-check|nan-check|float-overflow-check|' +
    'conversion-check|enum-range-check|context|synthesize|malloc-fail-assert|partial-loops|dump|trace-json|smt2|' +
    'property|competition-mode|big-endian|string-abstraction|nondet-static|error-label|round-to-|fixedbv|16$|winx64|' +
    'win32|depth|havoc-undefined|program-only|arch|os|symex-|drop-unused|paths|mm|min-null|max-nondet|apply-)',
);

function readDescription(path: string, lines: readonly string[], standardChecks: boolean): Found | string | undefined {
  const [, names = '', given = ''] = lines;
  const safe = lines.some((line) => /^\^VERIFICATION SUCCESSFUL\$/.test(line)),
    unsafe = lines.some((line) => /^\^VERIFICATION FAILED\$/.test(line));
  if (safe === unsafe) return 'it has no verdict';
  const flags = given.split(/\s+/).filter((flag) => flag.length > 0);
  const other = flags.find((flag) => otherQuestion.test(flag));
  if (other !== undefined) return `it asks for ${other}`;
  const after = (flag: string): string | undefined => {
    const at = flags.indexOf(flag);
    return at < 0 ? undefined : flags[at + 1];
  };
  const bounded = flags.some((flag) => /^--(unwind|unwindset)$/.test(flag));
  const endsChecked =
    flags.includes('--unwinding-assertions') || (standardChecks && !flags.includes('--no-unwinding-assertions'));
  if (safe && bounded && !endsChecked && !flags.some((flag) => /^--(k-induction|havoc)$/.test(flag)))
    return 'it holds up to a bound';
  if (unsafe && bounded && endsChecked && standardChecks) return 'what fails may be its bound';
  const files = [names, ...flags]
    .join(' ')
    .split(/\s+/)
    .filter((word) => word.endsWith('.c'))
    .map((file) => join(dirname(path), file));
  if (files.length === 0 || !files.every(existsSync)) return 'its file is no C file, or not there';
  const usual =
    standardChecks && !flags.includes('--no-standard-checks')
      ? Object.entries(usualChecks).filter(([name]) => !flags.includes(`--no-${name}-check`))
      : [];
  const asked = new Set([
    ...usual.map(([, property]) => property),
    ...flags.flatMap((flag) => checkOptions[flag] ?? []),
  ]);
  const checks = (name: string): boolean =>
    flags.includes(`--${name}-check`) || usual.some(([other]) => other === name);
  if (safe && checks('bounds') && !checks('pointer')) return 'it asks for the bounds of arrays only';
  if (safe && checks('pointer') && !checks('bounds')) return 'it asks for pointers only, not for the bounds of arrays';
  const properties: Property[] = [...(flags.includes('--no-assertions') ? [] : ['reach' as const]), ...asked];
  if (properties.length === 0) return 'it asks for no property';
  return {
    path: files[0]!,
    files,
    properties,
    entry: after('--function') ?? 'main',
    expect: expectation(safe ? 'proved' : 'bug'),
    dataModel: flags.includes('--32') || flags.includes('--i386-linux') || flags.includes('--ILP32') ? 'ilp32' : 'lp64',
    define: flags.flatMap((flag, i) =>
      flag === '-D' ? [flags[i + 1] ?? ''] : flag.startsWith('-D') ? [flag.slice(2)] : [],
    ),
    mallocMayFail:
      flags.includes('--malloc-may-fail') ||
      (standardChecks && !flags.includes('--no-malloc-may-fail') && !flags.includes('--no-standard-checks')),
  };
}

// ESBMC

/** As above: other questions, other arithmetic, or output that is looked at instead of the verdict. */
const otherEsbmcQuestion = new RegExp(
  `^--(${[
    'deadlock-check',
    'data-races-check',
    'lock-order-check',
    'atomicity-check',
    'ir$',
    'ir-ieee',
    'fixedbv',
    'big-endian',
    '16$',
    'round-to-',
    'cheri',
    'funsigned-char',
    'fms-extensions',
    'i386-win32',
    'ppc-macos',
    'unsigned-overflow-check',
    'nan-check',
    'error-label',
    'stack-limit',
    'total-stack-limit',
    'printf-check',
    'dead-code-check',
    'dead-store-check',
    'struct-fields-check',
    'restrict-',
    'unchecked-return',
    'clz-zero-check',
    'volatile-check',
    'excessive-alloc-check',
    'unknown-method-args-check',
    'double-assign-check',
    'enforce-',
    'replace-',
    'loop-',
    'claim',
    'all-witnesses',
    'assertion-coverage',
    'partial-loops',
    'depth',
    'instruction',
    'binary',
    'termination',
    'conv-assert-to-assume',
    'malloc-zero-is-null',
    'no-library$',
    'no-string-literal',
    'assign-param-nondet',
    'closed-world-fnptr',
    'skip-bmc',
    'interactive',
    'ld-',
    'sol$',
    'contract',
  ].join('|')})|^--(?!result-|clang-c-irep2-adjust-).*-only$`,
);
/** What a program says to ESBMC alone, and threads. */
const esbmcAlone = new RegExp(
  String.raw`\b(?!__ESBMC_(?:assume|assert|atomic_begin|atomic_end|nondet_\w+|HIDE|hide)\b)__ESBMC_\w+|` +
    String.raw`\b(?:pthread_create|thrd_create|__VERIFIER_nondet_memory)\b`,
);
const loose = /^(?:\^|\\A.*)?VERIFICATION (SUCCESSFUL|FAILED)\$?$/;

function readEsbmcDescription(path: string, lines: readonly string[]): Found | string | undefined {
  const [, names = '', given = '', ...expected] = lines;
  const verdicts = new Set(expected.map((line) => loose.exec(line.trim())?.[1]).filter((word) => word !== undefined));
  if (verdicts.size !== 1) return 'it has no verdict';
  const safe = verdicts.has('SUCCESSFUL');
  const flags = given.split(/\s+/).filter((flag) => flag.length > 0);
  const other = flags.find((flag) => otherEsbmcQuestion.test(flag));
  if (other !== undefined) return `it asks for ${other}`;
  const has = (flag: string): boolean => flags.includes(flag);
  const after = (...names: readonly string[]): readonly string[] =>
    flags.flatMap((flag, i) => (names.includes(flag) ? [flags[i + 1] ?? ''] : []));
  const bounded = flags.some((flag) => /^--unwind(set(name)?)?$/.test(flag)),
    complete = has('--incremental-bmc') || has('--k-induction') || has('--k-induction-parallel');
  const endsChecked = !flags.some((flag) => flag.startsWith('--no-unwinding-assertion'));
  if (safe && (has('--falsification') || (bounded && !endsChecked && !complete))) return 'it holds up to a bound';
  if (!safe && bounded && endsChecked && !complete) return 'what fails may be its bound';
  const files = [names, ...flags]
    .join(' ')
    .split(/\s+/)
    .filter((word) => /\.[ci]$/.test(word))
    .map((file) => join(dirname(path), file));
  if (files.length === 0 || !files.every(existsSync)) return 'its file is no C file, or not there';
  const own = files.map((file) => esbmcAlone.exec(readFileSync(file, 'utf8'))?.[0]).find((name) => name !== undefined);
  if (own !== undefined) return `it uses ${own}`;
  const usual = !has('--no-standard-checks');
  // What is safe with all of its checks is so with fewer, and one of the two kinds of memory checks is none here.
  const memory = [
    usual && !has('--no-pointer-check') && !has('--no-pointer-relation-check'),
    usual && !has('--no-bounds-check'),
  ].filter((on) => on).length;
  const properties: Property[] = [
    ...(has('--no-assertions') ? [] : ['reach' as const]),
    ...(memory === 2 || (memory === 1 && !safe) ? ['memsafety' as const] : []),
    ...(usual && !has('--no-div-by-zero-check') ? ['div-by-zero' as const] : []),
    ...(has('--overflow-check') || (has('--ub-shift-check') && !safe) ? ['overflow' as const] : []),
    ...(has('--memory-leak-check') ? ['leak' as const] : []),
    ...(has('--uninitialised-vars-check') ? ['uninitialised' as const] : []),
  ];
  if (properties.length === 0) return 'it asks for no property';
  const joined = (flag: string): readonly string[] =>
    flags.flatMap((word) => (word.startsWith(flag) && word !== flag ? [word.slice(flag.length)] : []));
  return {
    path: files[0]!,
    files,
    properties,
    entry: after('--function', '--func')[0] ?? 'main',
    expect: expectation(safe ? 'proved' : 'bug'),
    dataModel: has('--32') || has('--i386-linux') || has('--i386-macos') ? 'ilp32' : 'lp64',
    define: [...after('-D', '--define'), ...joined('-D')].map((definition) => definition.replaceAll(/["']/g, '')),
    include: [...after('-I'), ...joined('-I')].map((folder) => join(dirname(path), folder)),
    mallocMayFail: !has('--force-malloc-success'),
    old: has('-Wno-error=implicit-int'),
  };
}

// SV-COMP

interface SvCompTask {
  readonly input_files?: string | readonly string[];
  readonly properties?: readonly {
    readonly property_file: string;
    readonly expected_verdict?: boolean;
    readonly subproperty?: string;
  }[];
  readonly options?: { readonly language?: string; readonly data_model?: string };
}
const svCompProperties: Readonly<Record<string, readonly Property[]>> = {
  'unreach-call': ['reach'],
  'no-overflow': ['overflow'],
  'valid-memsafety': ['memsafety', 'leak'],
  'valid-memcleanup': ['leak'],
  'def-behavior': ['memsafety', 'overflow', 'div-by-zero', 'uninitialised'],
};

function readTask(path: string): readonly Found[] | string | undefined {
  let task: SvCompTask | null;
  try {
    task = parse(readFileSync(path, 'utf8')) as SvCompTask | null;
  } catch (error) {
    return `no YAML: ${(error as Error).message.split('\n')[0]}`;
  }
  if (!task || task.input_files === undefined || !task.properties) return undefined;
  const { input_files, options = {} } = task;
  const files = (typeof input_files === 'string' ? [input_files] : input_files).map((file) =>
    join(dirname(path), file),
  );
  if (!files.every(existsSync)) return 'its file is not there';
  return task.properties.flatMap(({ property_file, expected_verdict }): Found[] => {
    const properties = svCompProperties[property_file.slice(property_file.lastIndexOf('/') + 1).replace(/\.prp$/, '')];
    if (!properties || expected_verdict === undefined) return [];
    return [
      {
        path: files[0]!,
        files,
        properties,
        entry: 'main',
        dataModel: options.data_model?.toLowerCase() === 'lp64' ? 'lp64' : 'ilp32',
        expect: expectation(expected_verdict ? 'proved' : 'bug'),
      },
    ];
  });
}

// SMACK, SeaHorn, Ultimate, and programs without any mark

function readMarked(folder: string, path: string, otherwise: 'proved' | 'bug' | undefined): Found | string | undefined {
  const text = readFileSync(path, 'utf8');
  const base = { path, files: [path], entry: 'main', dataModel: 'lp64' as const };
  const smack = /^\/\/\s*@expect\s+(verified|error)/m.exec(text)?.[1];
  if (smack !== undefined) {
    const flags = [
      ...[...text.matchAll(/^\/\/\s*@flag\s+(.*)$/gm)].map(([, flag]) => flag!.trim()),
      ...foldersFlags(folder, path),
    ];
    const other = flags.find((flag) =>
      /^--(pthread|modular|fail-on-loop-exit|entry-points|checked-functions|verifier-options|llvm-assumes)/.test(flag),
    );
    if (other !== undefined) return `it is read with ${other}`;
    const check = flags.map((flag) => /^--check[= ](.*)/.exec(flag)?.[1]).find((c) => c !== undefined) ?? 'assertions';
    const properties = check.split(/[\s,]+/).flatMap((name) => smackProperties[name] ?? []);
    return properties.length === 0
      ? `it asks for ${check}`
      : { ...base, properties, expect: expectation(smack === 'verified' ? 'proved' : 'bug') };
  }
  const seahorn = [...text.matchAll(/^\/\/;?\s*CHECK(?:-L)?:\s*\^?(unsat|sat)\$?\s*$/gm)].map(([, word]) => word!);
  if (seahorn.length > 0) {
    if (new Set(seahorn).size > 1) return 'it has several verdicts';
    if (seahorn[0] === 'unsat' && /RUN:.*--bound=\d/.test(text)) return 'it holds up to a bound';
    if (/\bPARTIAL_FN\b/.test(text)) return 'it has functions to be synthesised';
    if (!/\bmain\s*\(/.test(text)) return 'it has no main';
    // Its checks of memory are put in before its proof.
    const properties: readonly Property[] = /RUN:.*\b(?:sea|%sea) (?:abc|smc|fpf)\b/.test(text)
      ? ['memsafety']
      : ['reach'];
    return { ...base, properties, expect: expectation(seahorn[0] === 'unsat' ? 'proved' : 'bug') };
  }
  const ultimate = /^\s*\/[/*]\s*#(Safe|Unsafe)\b/.exec(text)?.[1];
  if (ultimate !== undefined) {
    if (/\/[/*]\s*@/.test(text)) return 'it is annotated in ACSL';
    if (!/\bmain\s*\(/.test(text)) return 'it has no main';
    return {
      ...base,
      dataModel: 'ilp32',
      properties: [/\b(?:__VERIFIER_error|reach_error|assert)\s*\(/.test(text) ? 'reach' : 'memsafety'],
      expect: expectation(ultimate === 'Safe' ? 'proved' : 'bug'),
    };
  }
  return otherwise && /\bmain\s*\(/.test(text)
    ? { ...base, properties: ['reach'], expect: expectation(otherwise) }
    : undefined;
}

const smackProperties: Readonly<Record<string, readonly Property[]>> = {
  assertions: ['reach'],
  'memory-safety': ['memsafety', 'leak'],
  memleak: ['leak'],
  'valid-deref': ['memsafety'],
  'valid-free': ['memsafety'],
  'integer-overflow': ['overflow'],
};

function foldersFlags(folder: string, path: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(path); at.startsWith(folder); at = dirname(at)) {
    const config = join(at, 'config.yml');
    if (existsSync(config))
      found.push(
        ...((parse(readFileSync(config, 'utf8')) as { readonly flags?: readonly string[] } | null)?.flags ?? []),
      );
    if (at === folder || relative(folder, at) === '') break;
  }
  return found;
}
