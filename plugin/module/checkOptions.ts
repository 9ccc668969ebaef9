/**
 * Options as they come from tests, which TypeScript has not always seen: a misspelt one must not be passed over in
 * silence, above all where it says what is to be proved. Every message says what may be written.
 */
import { engineNames } from '../../src/engines/registry';
import { closest } from '../../src/host/suggest';
import { allProperties, leavable, propertyOf } from '../../src/program/command';
import { objectionToThresholds } from '../../src/report/thresholds';
import { angelicConfigurations } from '../../src/task';
import type { ReporterOptions } from '../reporter';
import type { AdequacyOptions, LoadCOptions, VerifyOptions } from '../api/types';

/** Undefined when the value will do; else what is wanted. */
type Check = (value: unknown) => string | undefined;

const loadOptions: Readonly<Record<keyof LoadCOptions, Check>> = {
  include: listOf('directory', 'directories'),
  define: aRecord('macros, { CAP: 8 }'),
  dataModel: oneOf(['lp64', 'ilp32']),
  standard: oneOf(['c11', 'gnu89']),
  systemHeaders: (value) =>
    typeof value === 'boolean' || (typeof value === 'string' && value !== '')
      ? undefined
      : "true, or the command of a C compiler: 'arm-none-eabi-gcc'",
  entry: listOf('function', 'functions'),
  header: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      ? undefined
      : 'the path of a header, or a list of them',
  init: (value) => (typeof value === 'string' ? undefined : 'the name of a function'),
  initialisedBy: aRecord("functions by structure, { ring_t: 'ring_init' }"),
  validPointers: aRecord("members by structure, { 'struct mail': ['reply_to'] }"),
  requires: aRecord('predicates by function, { push: (s) => s.value >= 0 }'),
  possible: aRecord("predicates by function, { move: 'to == from' }"),
  stubs: aRecord('functions by name, { now: () => 0 }'),
  files: aRecord("contents by name, { 'a.txt': 'text' }"),
  hostFiles: (value) => (typeof value === 'string' ? undefined : 'the directory whose files C may use'),
  stdin: (value) => (typeof value === 'string' || value instanceof Uint8Array ? undefined : 'text or bytes'),
  env: aRecord("variables, { HOME: '/' }"),
  ensures: conditionsByFunction,
  externals: oneOf(['error', 'any', 'angelic']),
  unchecked: (value) =>
    Array.isArray(value) && value.every((item) => (leavable as readonly unknown[]).includes(item))
      ? undefined
      : `a list of checks that can be left out (there are ${leavable.join(', ')})`,
  warnings: yesOrNo,
  budget: milliseconds,
  stepLimit: (value) => (typeof value === 'number' && value >= 1 ? undefined : 'a number of steps'),
};

const verifyOptions: Readonly<Record<keyof VerifyOptions, Check>> = {
  budget: milliseconds,
  effort: (value) =>
    Number.isInteger(value) && (value as number) > 0 && (value as number) <= 4_000_000_000
      ? undefined
      : 'a whole number from 1 to 4000000000',
  properties: properties,
  engine: oneOf(engineNames),
  generalize: oneOf(['off', 'widen', 'interpolate', 'learned']),
  angelic: (value) => (typeof value === 'boolean' || value === 'accept' ? undefined : "true, false or 'accept'"),
  angelicConfiguration: oneOf(angelicConfigurations),
  escalate: yesOrNo,
  seed: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32
      ? undefined
      : 'a whole number from 0 to 4294967295',
  jobs: (value) =>
    Number.isInteger(value) && (value as number) > 0 && (value as number) < 1000
      ? undefined
      : 'a whole number from 1 to 999',
  cutpoints: oneOf(['default', 'labels', 'checks', 'statements']),
  predicates: oneOf(['default', 'probes']),
  cache: yesOrNo,
  callBacks: yesOrNo,
  allowNoTests: yesOrNo,
};

const adequacyOptions: Readonly<Record<keyof AdequacyOptions, Check>> = {
  ...verifyOptions,
  atLeast: (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'a share between 0 and 1'),
  thresholds: objectionToThresholds,
};

const reporterOptions: Readonly<Record<keyof ReporterOptions, Check>> = {
  requireVerified: yesOrNo,
  writeTests: yesOrNo,
  live: yesOrNo,
  interruptible: yesOrNo,
  html: output,
  json: output,
  sarif: output,
  lcov: output,
  blob: output,
  thresholds: objectionToThresholds,
  queue: (value) =>
    typeof value === 'string' && /^rediss?:\/\/[^/]/.test(value)
      ? undefined
      : "the address of a Redis server, 'redis://localhost:6379'",
};

export const checkLoadOptions = (options: unknown): void =>
  check('loadC', 'loadC(path, { define: { CAP: 8 } })', loadOptions, options);
export const checkVerifyOptions = (options: unknown): void =>
  check('toBeVerified', 'toBeVerified({ budget: 10_000 })', verifyOptions, options);
export const checkAdequacyOptions = (options: unknown): void =>
  check('toBeAdequatelyTested', 'toBeAdequatelyTested({ atLeast: 0.9 })', adequacyOptions, options);
export const checkReporterOptions = (options: unknown): void =>
  check('provest/reporter', "['provest/reporter', { html: true }]", reporterOptions, options);

function check(of: string, example: string, checks: Readonly<Record<string, Check>>, options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${of}: the options are an object, ${example}`);
  const names = Object.keys(checks);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new TypeError(`${of}: there is no option '${name}'${closest(name, names)} (there are ${names.join(', ')})`);
    const wanted = value === undefined ? undefined : checks[name]!(value);
    if (wanted !== undefined)
      throw new TypeError(`${of}: the option ${name} is ${wanted}; this is ${describeValue(value)}`);
  }
}

function oneOf(choices: readonly string[]): Check {
  return (value) =>
    choices.includes(value as string) ? undefined : `one of ${choices.map((choice) => `'${choice}'`).join(', ')}`;
}

function listOf(one: string, many: string): Check {
  return (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? undefined
      : `a list of ${many}, ['${one}']`;
}

function aRecord(what: string): Check {
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : `an object of ${what}`;
}

function conditionsByFunction(value: unknown): string | undefined {
  const isText = (said: unknown): boolean => typeof said === 'string' && said.trim() !== '';
  return typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((said) => isText(said) || (Array.isArray(said) && said.every(isText)))
    ? undefined
    : "an object of conditions in C by function, { uart_read: 'result <= size' }";
}

function yesOrNo(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'true or false';
}

function output(value: unknown): string | undefined {
  return typeof value === 'boolean' || (typeof value === 'string' && value !== '')
    ? undefined
    : 'true, or the name of the file to write';
}

function milliseconds(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
    ? undefined
    : 'a number of milliseconds above 0';
}

function properties(value: unknown): string | undefined {
  const known = [...allProperties, ...Object.keys(propertyOf)] as readonly string[];
  if (!Array.isArray(value) || value.length === 0)
    return `a list of properties, such as ['memsafety'] (there are ${allProperties.join(', ')}, and single checks)`;
  const unknown = (value as unknown[]).find((name) => !known.includes(name as string));
  return unknown === undefined
    ? undefined
    : `a list of ${allProperties.join(', ')}, and single checks, but not ` +
        `${describeValue(unknown)}${typeof unknown === 'string' ? closest(unknown, known) : ''}`;
}

function describeValue(value: unknown): string {
  return typeof value === 'string'
    ? `'${value}'`
    : typeof value === 'function'
      ? 'a function'
      : Array.isArray(value)
        ? `[${value.map(describeValue).join(', ')}]`
        : typeof value === 'object' && value !== null
          ? 'an object'
          : String(value);
}
