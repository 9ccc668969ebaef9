/**
 * R13: a report one wants to show. One file without network, by keyboard alone, dark and light, small and fast for a
 * long module.
 */
import axe from 'axe-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { verify } from '../../src';
import { defaultProperties } from '../../src/program/command';
import { htmlReport, moduleReport } from '../../src/report/html';
import { differenceTo, readReport } from '../../src/report/html/difference';
import { nearestBounds } from '../../src/report/nearestBounds';
import type { Probe } from '../../src/task';
import type { Verdict } from '../../src/verdict';
import { ifLong } from '../long';
import { proved } from '../report/verdicts';
import { browserTest, launch, open } from './browser';
import { checksPerFunction, linesPerFunction, longReport } from './longReport';

const folder = mkdtempSync(join(tmpdir(), 'provest-report-'));
let browser: Browser | undefined;
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});
const inBrowser = browserTest();
const chromium = async (): Promise<Browser> => (browser ??= await launch());

const stack = `static int elems[4];
static int size;
static int calls;

int push(int k) {
  calls = calls < 100 ? calls + 1 : 0;
  if (size >= 4) return 0;
  elems[size] = k;
  size = size + 1;
  return 1;
}

int pop(void) {
  size = size - 1;
  return size;
}
`;
const probes: Probe[] = [
  {
    name: 'room </script><img src=x onerror=document.title=1>',
    formula: { kind: '<', left: { kind: 'path', variable: 'size', steps: [] }, right: { kind: 'integer', value: '4' } },
    origin: 'stack.test.ts:3',
  },
];

async function verdictOn(name: string, text: string): Promise<{ readonly file: string; readonly verdict: Verdict }> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const run = [{ kind: 'call' as const, function: 'push', arguments: [{ integer: '7' }], answers: [] }];
  const verdict = await verify({
    files: [file],
    load: {},
    mode: 'module',
    probes,
    runs: [run],
    properties: defaultProperties,
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 60_000 },
    explain: true,
  });
  return { file, verdict };
}

async function written(
  name: string,
  verdicts: readonly { readonly file: string; readonly verdict: Verdict }[],
  earlier?: string,
): Promise<string> {
  const modules = verdicts.map(({ file, verdict }) => ({
    report: moduleReport({
      name: 'stack.c',
      verdict,
      mode: 'module',
      version: '1',
      base: folder,
      sources: [{ file, text: readFileSync(file, 'utf8') }],
    }),
    states: verdict.explanation?.states,
  }));
  const path = join(folder, name);
  writeFileSync(path, await htmlReport(modules, { version: '1', created: new Date(0), earlier }));
  return path;
}

const repaired = stack.replace('  size = size - 1;', '  if (size > 0) size = size - 1;');
const bug = (): Promise<Awaited<ReturnType<typeof verdictOn>>> => (known ??= verdictOn('stack.c', stack));
let known: ReturnType<typeof verdictOn> | undefined;

test('R13 a bug is told line by line: what changes, what the probes say, and which lines matter', async () => {
  const { verdict } = await bug();
  expect(verdict.kind).toBe('bug');
  const { trace, checks, lines, slices } = verdict.explanation!;
  expect(checks.filter(({ status }) => status === 'fails').map(({ place, check }) => [place.line, check])).toEqual([
    [8, 'array-bounds'],
  ]);
  const slice = slices.find(({ check }) => checks[check]!.status === 'fails');
  expect(slice!.aside.map((aside) => aside.lines)).toEqual([[6, 10, 15]]);
  expect(lines[0]!.ran).toEqual(expect.arrayContaining([6, 8, 9]));
  expect(lines[0]!.code).toContain(14);
  expect(lines[0]!.ran).not.toContain(14);
  const told = trace!.steps.map(({ place, call, relevant }) => [call, place.line, relevant]);
  // The counter has nothing to do with it; the decrement and the index have.
  expect(told).toEqual([
    [1, 14, true],
    [1, 15, false],
    [2, 6, false],
    [2, 7, true],
    [2, 8, true],
  ]);
  expect(trace!.steps[1]!.changed).toContainEqual({ name: 'size', value: '-1' });
  expect(trace!.steps[3]!.changed).toContainEqual({ name: 'calls', value: '1' });
  expect(trace!.probes).toEqual([probes[0]!.name]);
  expect(trace!.steps.map((step) => step.probes)).toEqual(['1', '1', '1', '1', '1']);
});

test('R13 states of a proof are those of tests and solver, each with a path; failures are unreachable', async () => {
  const { verdict } = await verdictOn('repaired.c', repaired);
  expect(verdict.kind).toBe('proved');
  const { states, checks } = verdict.explanation!;
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['holds']));
  expect(states!.complete).toBe(true);
  expect(states!.states.some(({ source }) => source === 'test')).toBe(true);
  expect(states!.states.some(({ source }) => source !== 'test')).toBe(true);
  const entered = new Set(states!.moves.map(({ to }) => to));
  const initial = states!.states.findIndex(({ point }) => states!.points[point]!.name === 'between calls');
  expect(states!.states.filter((_, i) => i !== initial && !entered.has(i))).toEqual([]);
  expect(states!.moves.some(({ tested }) => tested)).toBe(true);
  expect(states!.errors.map(({ name, status }) => [name, status])).toEqual([
    ['push', 'unreachable'],
    ['pop', 'unreachable'],
  ]);
});

test('R13 the next report says what was introduced, fixed and is still there', async () => {
  const first = readFileSync(await written('first.html', [await bug()]), 'utf8');
  const again = moduleReport({
    name: 'stack.c',
    verdict: (await bug()).verdict,
    mode: 'module',
    version: '1',
    base: folder,
    sources: [],
  });
  const fixed = moduleReport({
    name: 'stack.c',
    verdict: proved,
    mode: 'module',
    version: '1',
    base: folder,
    sources: [],
  });
  const titles = (d: ReturnType<typeof differenceTo>) =>
    d && [d.introduced, d.fixed, d.still].map((list) => list.map(({ title }) => title));
  expect(titles(differenceTo(readReport(first), again))).toEqual([[], [], ['index -1 is outside elems[4]']]);
  expect(titles(differenceTo(readReport(first), fixed))).toEqual([[], ['index -1 is outside elems[4]'], []]);
  const clean = await htmlReport([{ report: fixed, states: undefined }], {
    version: '1',
    created: new Date(0),
    earlier: first,
  });
  expect(titles(differenceTo(readReport(clean), again))).toEqual([['index -1 is outside elems[4]'], [], []]);
  expect(differenceTo(readReport('<html>something else</html>'), again)).toBeNull();
  expect(differenceTo(readReport(first.slice(0, -200).replace('"modules"', '"other"')), again)).toBeNull();
});

test('of several bounds the nearest is shown, and none is left out where a sign is not known', () => {
  expect(nearestBounds(['size >= 0', 'size <= 8', 'size <= 7', 'p != NULL'])).toEqual([
    'size >= 0',
    'size <= 7',
    'p != NULL',
  ]);
  expect(nearestBounds(['size >= 1', 'size != 0', 'size != 2', 'size < 2'])).toEqual(['size == 1']);
  expect(nearestBounds(['u <= 5', 'u <= -1'])).toEqual(['u <= 5', 'u <= -1']);
  expect(
    nearestBounds(['p == NULL', 'p != &buffer', 'offset_of(p) != 16', 'q == &buffer', 'q != NULL', 'q->next != NULL']),
  ).toEqual(['p == NULL', 'q == &buffer', 'q->next != NULL']);
});

inBrowser('R13 what there was none of is not among the effort', async () => {
  const { file, verdict } = await bug();
  const statistics = {
    ...verdict.statistics,
    cutpoints: 3,
    segments: 0,
    predicates: 0,
    abstractStates: 3,
    obligations: 1,
    stages: [],
  };
  const { page } = await open(
    await chromium(),
    await written('effort.html', [{ file, verdict: { ...verdict, statistics, explanation: undefined } as Verdict }]),
  );
  const effort = await page.locator('#timings tr', { hasText: 'program' }).locator('td').textContent();
  expect(effort).toBe('3 cutpoints, 1 obligation');
  const { page: none } = await open(
    await chromium(),
    await written('none.html', [
      {
        file,
        verdict: {
          ...verdict,
          statistics: { ...statistics, cutpoints: 0, obligations: 0 },
          explanation: undefined,
        } as Verdict,
      },
    ]),
  );
  expect(await none.locator('#timings th').allTextContents()).not.toContain('program');
  expect(await none.locator('#timings th').allTextContents()).not.toContain('states');
});

inBrowser('R13 opens from a file without any request; j and k step; the keyboard is enough', async () => {
  const path = await written('report.html', [await bug(), await verdictOn('repaired.c', repaired)]);
  const { page, requests, complaints } = await open(await chromium(), path);
  expect(await page.textContent('h1')).toContain('stack.c: bug (reproduced)');
  const position = () => page.textContent('#position');
  const value = (name: string) =>
    page
      .locator('#values tr')
      .filter({ has: page.locator(`th:text-is("${name}")`) })
      .locator('td')
      .textContent();
  expect(await position()).toBe('5 / 5');
  expect(await page.locator('.line.current').getAttribute('data-line')).toBe('8');
  await page.keyboard.press('g');
  expect([await position(), await value('size')]).toEqual(['1 / 5', '0']);
  await page.keyboard.press('j');
  expect([
    await position(),
    await value('size'),
    await page.locator('.line.current').getAttribute('data-line'),
  ]).toEqual(['2 / 5', '-1', '15']);
  expect(await page.locator('#values tr.changed th').allTextContents()).toEqual(['size']);
  expect(await page.textContent('#probes')).toContain('✓ true');
  await page.keyboard.press('r');
  expect([await position(), await page.isChecked('#relevant')]).toEqual(['4 / 5', true]);
  await page.keyboard.press('k');
  expect(await position()).toBe('1 / 5');
  await page.keyboard.press('Shift+J');
  expect(await page.locator('#calls li.current').textContent()).toContain('push');
  await page.keyboard.press('?');
  expect(await page.isVisible('#help')).toBe(true);
  await page.keyboard.press('Escape');
  expect(await page.isVisible('#help')).toBe(false);
  // A line's checks, without a mouse.
  await page.keyboard.press('s');
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  expect(await page.locator('#lines .checks').count()).toBe(1);
  // The code that does not matter to one of them.
  const apart = () =>
    page.locator('.line.apart').evaluateAll((lines) => lines.map((line) => line.getAttribute('data-line')));
  expect(await apart()).toEqual([]);
  await page.keyboard.press('d');
  expect(await apart()).toEqual(expect.arrayContaining(['6']));
  expect(await apart()).not.toContain('14');
  expect(await page.textContent('#apart-key')).toMatch(/^\d lines do not matter to .* in line 8$/u);
  for (let i = 0; i < 3 && (await apart()).length > 0; i++) await page.keyboard.press('d');
  expect(await apart()).toEqual([]);
  // The other module, and one of its states.
  await page.keyboard.press('m');
  expect(await page.textContent('h1')).toContain('proved');
  expect(await page.locator('.error.unreachable').count()).toBe(2);
  await page.keyboard.press('a');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.textContent('#state')).toMatch(/line \d+(reached by tests|fabricated|on the way|known from)/);
  // On a small screen the picture is no higher than what it shows.
  await page.setViewportSize({ width: 320, height: 640 });
  const shape = await page.evaluate(`(() => {
    const svg = document.querySelector('#states svg');
    const { width, height } = svg.getBoundingClientRect();
    return height / width / (svg.viewBox.baseVal.height / svg.viewBox.baseVal.width);
  })()`);
  expect(shape).toBeCloseTo(1, 1);
  // Names are text, whatever they look like.
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toContain('provest');
  expect(requests).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

inBrowser.each(['dark' as const, ...ifLong('light' as const)])(
  'R13 whoever sees little or no colours can read it: WCAG 2.1 AA by axe-core, %s',
  async (colorScheme) => {
    const path = await written('accessible.html', [await bug(), await verdictOn('repaired.c', repaired)]);
    const { page } = await open(await chromium(), path, colorScheme);
    await page.evaluate(axe.source);
    const violations = async (): Promise<readonly string[]> => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
      const found = await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(tags)} })`);
      return (found as axe.AxeResults).violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
      );
    };
    expect(await violations()).toEqual([]);
    // With a line's checks open, and code that does not matter apart.
    for (const key of ['s', 'n', 'Enter', 'd']) await page.keyboard.press(key);
    expect(await violations()).toEqual([]);
    await page.keyboard.press('?');
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    expect(await violations()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await violations()).toEqual([]);
    await page.close();
  },
);

const list = `#include <stdlib.h>
extern int nondet(void);
struct node { int val; struct node *next; };
static struct node *head;
static void push(int v) {
  struct node *t = malloc(sizeof *t);
  if (t == NULL) exit(1);
  t->val = v;
  t->next = head;
  head = t;
}
static void forget(void) {
  head = head->next->next;
}
int main(void) {
  push(1);
  push(2);
  if (nondet() == 7) forget();
  return head->val;
}
`;

inBrowser('R13 the heap is drawn at each step: structures, pointers, and what nothing leads to any more', async () => {
  const file = join(folder, 'list.c');
  writeFileSync(file, list);
  const verdict = await verify({
    files: [file],
    load: { externals: 'any' },
    mode: 'program',
    entries: ['main'],
    probes: [],
    runs: [],
    properties: defaultProperties,
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 60_000 },
    explain: true,
  });
  expect(verdict.kind).toBe('bug');
  const { page, complaints } = await open(await chromium(), await written('list.html', [{ file, verdict }]));
  const picture = async () => ({
    boxes: await page.locator('#heap .box .title').allTextContents(),
    pointers: await page.locator('#heap path.pointer').count(),
    words: await page.locator('#heap svg').getAttribute('aria-label'),
    notes: await page.locator('#heap p').allTextContents(),
  });
  const ofNode = (number: number, state = ''): string => `object ${number} (struct node)${state}`;
  const lost = await picture();
  const [first, second] = lost.boxes.map((title) => Number(/\d+/.exec(title)));
  expect(lost).toEqual({
    boxes: [ofNode(first!, ', lost'), ofNode(second!, ', lost')],
    pointers: 1,
    words:
      `head is NULL; object ${first}.next leads to object ${second}, lost; ` +
      `nothing leads to object ${first}; nothing leads to object ${second}`,
    notes: [`NULL: head; lost, nothing leads there: object ${first}, object ${second}`],
  });
  await page.keyboard.press('k');
  expect(await picture()).toEqual({
    boxes: [ofNode(first!), ofNode(second!)],
    pointers: 1,
    words: `head leads to object ${first}; object ${first}.next leads to object ${second}`,
    notes: [],
  });
  // Nothing leaves the drawing or its box.
  const overhang = await page.evaluate(`(() => {
    const svg = document.querySelector('#heap svg').getBoundingClientRect();
    return [...document.querySelectorAll('#heap .box, #heap path.pointer')]
      .map((part) => part.getBoundingClientRect())
      .filter(
        ({ left, top, right, bottom }) =>
          left < svg.left || top < svg.top || right > svg.right || bottom > svg.bottom)
      .length;
  })()`);
  expect(overhang).toBe(0);
  const wide = await page.evaluate(`[...document.querySelectorAll('#heap .box')].filter((box) =>
    [...box.querySelectorAll('text')].some((text) =>
      text.getBoundingClientRect().right > box.querySelector('rect').getBoundingClientRect().right)).length`);
  expect(wide).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

test('R13 a program without inputs is told line by line, too, unless its execution is long', async () => {
  const file = join(folder, 'only.c');
  const steps = async (rounds: number): Promise<readonly number[] | undefined> => {
    writeFileSync(
      file,
      `static int a[3];\nint main(void) {\n  int i = 0;\n  for (int k = 0; k < ${rounds}; k++) i = k & 3;\n` +
        '  a[i] = 1;\n  return 0;\n}\n',
    );
    const verdict = await verify({
      files: [file],
      load: { externals: 'any' },
      mode: 'program',
      entries: ['main'],
      probes: [],
      runs: [],
      properties: defaultProperties,
      engine: 'auto',
      seed: 1,
      budget: { milliseconds: 60_000 },
      explain: true,
    });
    expect(verdict.kind).toBe('bug');
    expect(verdict.statistics.stages.at(-1)).toMatchObject({ stage: 'only-execution', outcome: 'failing-execution' });
    return verdict.explanation!.trace?.steps.map(({ place }) => place.line);
  };
  expect(await steps(4)).toEqual([3, 4, 5]);
  expect(await steps(400_000)).toBeUndefined();
});

inBrowser('R13 what variables reach in an invariant is drawn beside it', async () => {
  const { file } = await bug();
  const node = { type: 'struct node', state: 'live' as const };
  const heap = {
    names: [],
    boxes: [
      { ...node, title: 'head', members: [{ name: 'next', to: 1 }] },
      { ...node, title: '0 or more', state: 'several' as const, members: [{ name: 'next', value: 'NULL' }] },
    ],
    omitted: 0,
  };
  const place = { file, line: 8, column: 1, function: 'push' };
  const verdict: Verdict = {
    ...proved,
    invariants: [
      { place, at: 'entry', formula: 'size >= 0' },
      { place, at: 'loop', formula: '(all that head reaches is live)', heap },
    ],
  };
  const { page, complaints } = await open(await chromium(), await written('shape.html', [{ file, verdict }]));
  expect(await page.locator('#invariants dd').first().locator('figure').count()).toBe(0);
  const drawn = page.locator('#invariants figure');
  expect(await drawn.locator('.title').allTextContents()).toEqual(['head (struct node)', '0 or more (struct node)']);
  expect(await drawn.locator('.several rect').count()).toBe(3);
  expect(await drawn.locator('svg').getAttribute('aria-label')).toBe('head.next leads to 0 or more');
  expect(complaints).toEqual([]);
  await page.close();
});

inBrowser(
  'R13 a pointer to its own box is an arc, and boxes that stand for many leave their names readable',
  async () => {
    const { file } = await bug();
    const node = { type: 'struct node', state: 'live' as const };
    const heap = {
      names: [
        { name: 'ring', to: 0 },
        { name: 'rest', to: 1 },
      ],
      boxes: [
        { ...node, title: 'only', members: [{ name: 'next', to: 0 }] },
        { ...node, title: '1 or more', state: 'several' as const, members: [{ name: 'next', value: 'NULL' }] },
      ],
      omitted: 0,
    };
    const place = { file, line: 8, column: 1, function: 'push' };
    const verdict: Verdict = { ...proved, invariants: [{ place, at: 'loop', formula: '(ring is one node)', heap }] };
    const { page, complaints } = await open(await chromium(), await written('arc.html', [{ file, verdict }]));
    expect(await page.locator('#invariants .title').allTextContents()).toEqual([
      'only (struct node)',
      '1 or more (struct node)',
    ]);
    const arc = (await page.locator('#invariants path.pointer').boundingBox())!;
    expect(arc.height).toBeGreaterThan(12);
    expect(arc.width).toBeGreaterThan(12);
    const name = (await page.locator('#invariants .several text.name').boundingBox())!;
    for (const box of await page.locator('#invariants .several rect').all())
      expect((await box.boundingBox())!.y).toBeGreaterThanOrEqual(name.y + name.height - 1);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

inBrowser('R13 is dark where the system is, light where it is not, and either on a key', async () => {
  const path = await written('colours.html', [await bug()]);
  const ground = async (scheme: 'light' | 'dark', key?: string) => {
    const { page } = await open(await chromium(), path, scheme);
    if (key !== undefined) await page.keyboard.press(key);
    const [back, text] = (await page.evaluate(
      '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
    )) as [string, string];
    await page.close();
    return { back: brightness(back), text: brightness(text) };
  };
  const [light, dark] = [await ground('light'), await ground('dark')];
  expect(light.back - light.text).toBeGreaterThan(150);
  expect(dark.text - dark.back).toBeGreaterThan(150);
  expect([await ground('light', 't'), await ground('dark', 't')]).toEqual([dark, light]);
});

const brightness = (color: string): number => {
  const [r, g, b] = color.match(/\d+/g)!.map(Number);
  return (r! + g! + b!) / 3;
};

describe('a module of 5,000 lines', () => {
  // bench/report.ts measures how long it takes.
  test('R13 takes less than 5 MB', async () => {
    const { html, checks } = await longReport(join(folder, 'long.c'), 5000);
    expect(checks).toBe((5000 / linesPerFunction) * checksPerFunction);
    expect(html.length).toBeLessThan(5e6);
    writeFileSync(join(folder, 'long.html'), html);
  });

  inBrowser('R13 opens a page at a time', async () => {
    const { page } = await open(await chromium(), join(folder, 'long.html'));
    expect(await page.locator('.line').count()).toBe(1000);
    await page.keyboard.press(']');
    expect(await page.locator('.line').first().getAttribute('data-line')).toBe('1001');
    for (let i = 0; i < 9; i++) await page.keyboard.press(']');
    expect(await page.locator('.line').last().getAttribute('data-line')).toBe('5000');
    await page.close();
  });
});
