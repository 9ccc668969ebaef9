/** The section of the page with errors, and specifications that fold what they excuse, as text without a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { verdictToJson } from '../../src/report';
import type { Verdict } from '../../src/verdict';
import { bugAndSpecification, conditional, proved } from './verdicts';

type Item = string | null | undefined | Item[] | Element;
interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children: Item[];
}

const script = readFileSync(join(__dirname, '../../src/report/html/failures.js'), 'utf8');
const places: unknown[] = [];
const h = (tag: string, attributes: Element['attributes'] | null, ...children: Item[]): Element => ({
  tag,
  attributes: attributes ?? {},
  children,
});
const failures = (runInNewContext(`${script}failuresOf`) as (tools: object) => (m: object) => Element | null)({
  h,
  section: (id: string, title: string, ...children: Item[]) => h('section', { id }, title, ...children),
  plural: (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`,
  pasteable: (title: string, text: string) => [h('p', null, title), h('pre', null, text)],
  showPlace: (place: unknown) => places.push(place),
});

const textOf = (item: Item): string =>
  typeof item === 'string'
    ? item
    : Array.isArray(item)
      ? item.map(textOf).join('')
      : item
        ? `${textOf(item.children)}${['p', 'summary', 'pre'].includes(item.tag) ? '\n' : ''}`
        : '';
const elements = (item: Item): Element[] =>
  Array.isArray(item)
    ? item.flatMap(elements)
    : item && typeof item === 'object'
      ? [item, ...item.children.flatMap(elements)]
      : [];
const shown = (verdict: Verdict): Element | null =>
  failures({ verdict: verdictToJson(verdict, 'module', { version: '1', base: '/', files: [] }) });

test('an error comes with the specification that was refused, and stands apart from what one excuses', () => {
  const section = shown(bugAndSpecification)!;
  const text = textOf(section);
  expect(text).toMatch(/1 error that no specification of clients excuses:\n/);
  expect(text).toMatch(/pop: size > 0 would do, but then .*:14.*, size == 0, could never be true\n/);
  const folded = elements(section).filter(({ attributes }) => attributes['class'] === 'specification');
  expect(folded.map(({ tag }) => tag)).toEqual(['details']);
  expect(textOf(folded[0])).toMatch(/^push: s != NULL excuses 2 failures\n.*null pointer dereference: s\n/);
  expect(textOf(folded[0])).toContain("To the options of loadC\nrequires: { push: 's != NULL' }\n");
  expect(textOf(folded[0])).toContain('On the command line\n--requires "push: s != NULL"\n');
  expect(textOf(folded[0])).toContain('3 calls in tests keep it');
  // Shown once, folded.
  expect(text.split('null pointer dereference: s').length).toBe(2);
});

test('a place leads to its line', () => {
  const button = elements(shown(bugAndSpecification)).find(({ tag }) => tag === 'button')!;
  (button.attributes['onclick'] as () => void)();
  expect(places).toEqual([expect.objectContaining({ line: 14 })]);
});

test('a branch that a refused specification would make impossible is marked in its file', () => {
  const deadUnder = runInNewContext(`${script}deadUnder`) as (m: object, source: object) => [number, string][];
  const verdict = verdictToJson(bugAndSpecification, 'module', { version: '1', base: '/', files: [] });
  const { file } = verdict.angelic!.refused[0]!.place;
  expect(deadUnder({ verdict }, { file }).map((one) => [...one])).toEqual([
    [14, 'size == 0 could never be true under pop: size > 0, which is therefore not offered'],
  ]);
  expect(deadUnder({ verdict }, { file: 'another.c' })).toHaveLength(0);
});

test('calls that are stated as possible, and what the C alone can state', () => {
  const { angelic, counterexample } = bugAndSpecification;
  const { place } = counterexample.failure;
  const text = textOf(
    shown({
      ...bugAndSpecification,
      angelic: {
        specifications: angelic.specifications.map((one) => ({ ...one, code: '', flags: '' })),
        refused: [{ text: 'pop: s != NULL', place, condition: 's == NULL', outcome: true, stated: true }, null],
      },
    }),
  );
  expect(text).toMatch(/no call of \w+ could have s == NULL, which is stated as possible/);
  expect(text).toContain('The C can state it, by PROVEST_REQUIRES.');
});

test('without an error the specifications alone; a proof has no such section', () => {
  expect(textOf(shown(conditional))).toMatch(/^Failures1 specification of clients that excuse what fails:\n/);
  expect(shown(proved)).toBeNull();
});
