/**
 * Option values of the command line, read into the types of a task. A value that cannot be read is an `InputError` that
 * says what can.
 */
import { nearest } from '../c/diagnostics/editDistance';
import { allProperties, defaultProperties, type Property } from '../program/command';
import { defaultBudgetMs } from '../task';
import { InputError } from './inputError';

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** As it is written for `--budget`. */
export const defaultBudget = `${defaultBudgetMs / 1000}s`;

/** `20s`, `500ms`, `2m`, `1.5h`; a bare number counts seconds. */
export function parseDurationMs(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(number) * unitMilliseconds[unit]!);
  if (!(milliseconds >= 1 && milliseconds <= 7 * 24 * 3_600_000)) {
    throw new InputError(`'${text}' is no time budget`, 'write a number and a unit: --budget 500ms, 20s or 2m');
  }
  return milliseconds;
}

/**
 * Each text is one property or several separated by commas; `all` is all of them. None given: the default ones. In
 * canonical order.
 */
export function parseProperties(texts: readonly string[]): readonly Property[] {
  const names = texts
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (texts.length === 0) return defaultProperties;
  if (names.length === 0)
    throw new InputError('--property names no property', `choose from ${allProperties.join(', ')}, all`);
  const asked = new Set(
    names.flatMap((name) => (name === 'all' ? allProperties : [parseChoice('property', name, allProperties)])),
  );
  return allProperties.filter((property) => asked.has(property));
}

export function parseChoice<T extends string>(what: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const near = nearest(text, choices);
  throw new InputError(
    `unknown ${what} '${text}'`,
    near === undefined ? `choose from ${choices.join(', ')}` : `did you mean '${near}'?`,
  );
}

/** `NAME` or `NAME=VALUE`, as for a C compiler. */
export function parseDefinitions(texts: readonly string[]): Readonly<Record<string, string | true>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([A-Za-z_$][\w$]*)(?:=([^]*))?$/.exec(text) ?? [];
      if (name === undefined) throw new InputError(`'${text}' defines no macro`, 'write -D NAME or -D NAME=VALUE');
      return [name, value ?? true] as const;
    }),
  );
}

export function parseEffort(text: string): number {
  const units = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : NaN;
  if (!(units <= 4_000_000_000))
    throw new InputError(
      `'${text}' is no effort`,
      'an effort is a whole number from 1 to 4000000000; a million is about a second',
    );
  return units;
}

export function parseNodes(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new InputError(`'${text}' is no number of nodes`, 'a tree has from 1 to 9999999 nodes; 60000 is the default');
  return Number(text);
}

export function parseSeed(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffff_ffff)
    throw new InputError(`'${text}' is no seed`, 'a seed is a whole number from 0 to 4294967295');
  return Number(text);
}

export function parseJobs(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new InputError(`'${text}' is no number of jobs`, 'give a number from 1 to 999');
  return Number(text);
}
