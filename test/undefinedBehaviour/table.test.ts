/** The table of undefined behaviour says what provest does: an example of every row is tried. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Budget } from '../../src/budget';
import { CError } from '../../src/c';
import { assumptionsOf } from '../../src/engines/assumptions/assumptions';
import { outOfReach } from '../../src/engines/portfolio/outOfReach';
import { Problem } from '../../src/engines/problem';
import { file, task } from '../engines/task';
import { resultOf } from '../program/programOf';
import { ofLanguage } from './ofLanguage';
import { ofLibrary } from './ofLibrary';

const page = readFileSync(join(__dirname, '../../docs/reference/undefined-behaviour.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\d+[a-z]?) \| (\S+) \| (.+) \| ([^|]+) \| [^|]*\|$/gm)].map(
  ([, row, section, behaviour, answer]) => ({ row: row!, section: section!, behaviour: behaviour!, answer: answer! }),
);
const examples: Readonly<Record<string, string>> = { ...ofLanguage, ...ofLibrary };

/** Calls `f`: a number, or the failing check with its text, or "refused". A line of dashes begins another file. */
function outcome(text: string): string {
  const [first, ...others] = text.split('\n---\n');
  try {
    return resultOf(first!, { files: Object.fromEntries(others.map((other, i) => [`other${i}.c`, other])) });
  } catch (error) {
    if (error instanceof CError) return 'refused';
    throw error;
  }
}

function problemOf(text: string): Problem {
  const given = task(file(text), { mode: 'program', entries: ['f'] });
  return new Problem(given, Budget.start(given.budget), {});
}

function assumed(text: string): string {
  const problem = problemOf(text);
  return assumptionsOf({ ...problem, regions: undefined, clientSlots: undefined }).join('\n');
}

const answers: readonly (readonly [RegExp, (text: string, quoted: string) => void])[] = [
  [/^checked: `([\w-]+)`$/, (text, kind) => expect(outcome(text).split(':')[0]).toBe(kind)],
  [/^assumed: `(.+)`$/, (text, sentence) => expect(assumed(text)).toContain(sentence)],
  [/^refused$/, (text) => expect(outcome(text)).toBe('refused')],
  [/^refused in proofs$/, (text) => expect(outOfReach(problemOf(text))?.cause).toBe('unsupported-construct')],
  [/^refused in runs$/, (text) => expect(outcome(text)).toBe('limit: unsupported')],
  [/^(?:cannot occur|defined)$/, (text) => expect(outcome(text)).toMatch(/^(?:halted )?-?\d+$/)],
];

test('every row has an example, and every example a row', () => {
  expect(rows.map(({ row }) => row).sort()).toEqual(Object.keys(examples).sort());
  expect(rows.length).toBeGreaterThan(200);
});

test.each(rows)('$row, $section: $behaviour: $answer', ({ row, answer }) => {
  const [form, holds] = answers.find(([pattern]) => pattern.test(answer))!;
  holds(examples[row]!, form.exec(answer)![1]!);
});
