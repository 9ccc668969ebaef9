/**
 * R13: the page for a reader who sees it for the first time: the next step is open and can be copied, figures
 * about effort come last, nothing is cut off on a narrow screen, and a short source leaves no empty space.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { htmlReport, moduleReport } from '../../src/report/html';
import type { Explanation } from '../../src/explanation';
import type { Failure, SourceLocation, Verdict } from '../../src/verdict';
import { base, bug, conditional, potentialError, proved } from '../report/verdicts';
import { browserTest, launch, open } from './browser';

const folder = mkdtempSync(join(tmpdir(), 'provest-page-'));
let browser: Browser | undefined;
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});
const inBrowser = browserTest();

const remarks = Array.from({ length: 12 }, (_, i) => `a remark of some length, which is number ${i + 1} of twelve`);
const text = Array.from({ length: 14 }, (_, i) => `static int line_${i + 1} = 1; /* "text" */`).join('\n');

async function shown(verdict: Verdict, size = { width: 1300, height: 850 }, source = text): Promise<Page> {
  const sources = [{ file: `${base}/stack.c`, text: source }];
  const report = moduleReport({ name: 'stack.c', verdict, mode: 'module', version: '1', base, sources });
  const path = join(folder, 'report.html');
  const options = { version: '1', created: new Date(0), earlier: undefined };
  writeFileSync(path, await htmlReport([{ report, states: undefined }], options));
  const { page, complaints } = await open((browser ??= await launch()), path);
  expect(complaints).toEqual([]);
  await page.setViewportSize(size);
  return page;
}
const idsIn = (page: Page, parent: string): Promise<readonly string[]> =>
  page.locator(`${parent} > *`).evaluateAll((all) => all.map(({ id }) => id));

inBrowser('the failing test is open, and a button or a key copies it', async () => {
  const page = await shown(bug);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  expect(await page.locator('#failing-test pre').isVisible()).toBe(true);
  const button = page.locator('#copy-test');
  for (const copy of [() => button.click(), () => page.keyboard.press('c')]) {
    await page.evaluate("navigator.clipboard.writeText('')");
    await copy();
    await page.locator('#copy-test:text-is("copied")').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(bug.counterexample.test);
  }
  await page.close();
});

inBrowser('effort is last; sections stand below a short source, or in their order on a narrow screen', async () => {
  const page = await shown({ ...bug, remarks });
  expect((await idsIn(page, 'main')).at(-1)).toBe('timings');
  const left = await idsIn(page, '#left');
  expect(left[0]).toBe('source');
  expect(left.length).toBeGreaterThan(1);
  expect((await idsIn(page, '#right'))[0]).toBe('counterexample');
  await page.setViewportSize({ width: 700, height: 850 });
  // The page's policy forbids what `waitForFunction` does.
  await page.locator('#left > :only-child').waitFor();
  expect(await idsIn(page, '#right')).toEqual(['counterexample', 'failing-test', 'adequacy', 'assumptions', 'remarks']);
  await page.close();
});

inBrowser.each<[string, Verdict]>([
  ['a bug', bug],
  ['a potential error', potentialError],
  ['a proof', proved],
  ['a proof on conditions', conditional],
])('on a screen of 320 pixels nothing of %s is cut off', async (_, verdict) => {
  const page = await shown(verdict, { width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.close();
});

const wide =
  'static int line_1;\n' +
  `int f(int i) { int long_name[4] = {0}; ${'/* and so on */ '.repeat(9)}return long_name[i]; }\n`;
const failsAt = (line: number, column: number, changes: Partial<Failure> = {}): Verdict => ({
  ...bug,
  counterexample: {
    ...bug.counterexample,
    failure: { ...bug.counterexample.failure, place: { file: `${base}/stack.c`, line, column }, ...changes },
  },
});
const traceTo = (place: SourceLocation): Pick<Explanation, 'checks' | 'lines' | 'slices' | 'states' | 'trace'> => ({
  checks: [],
  lines: [],
  slices: [],
  states: undefined,
  trace: {
    probes: [],
    omitted: 0,
    heaps: [],
    steps: [
      {
        place,
        depth: 1,
        call: 1,
        changed: [{ name: 'a_function_with_a_long_name: lines', value: `[${'0, '.repeat(99)}0]` }],
        probes: '',
        relevant: true,
      },
    ],
  },
});

inBrowser('a line that is longer than the screen shows the column that fails, beside its number', async () => {
  const column = wide.split('\n')[1]!.indexOf('long_name[i]') + 1;
  const verdict = failsAt(2, column);
  const explanation = traceTo({ file: `${base}/stack.c`, line: 2, column });
  const page = await shown({ ...verdict, explanation }, { width: 320, height: 640 }, wide);
  await page.reload(); // as it is opened on such a screen
  const seen = await page.evaluate<string>(`(() => {
    const list = document.getElementById('lines');
    const [box, number] = [list, document.querySelector('#L2 .number')].map((one) => one.getBoundingClientRect());
    const texts = document.createTreeWalker(document.querySelector('#L2 code'), NodeFilter.SHOW_TEXT);
    let seen = '';
    while (texts.nextNode())
      for (let i = 0; i < texts.currentNode.length; i++) {
        const range = document.createRange();
        range.setStart(texts.currentNode, i);
        range.setEnd(texts.currentNode, i + 1);
        const { left, right } = range.getBoundingClientRect();
        if (left >= number.right && right <= box.right) seen += texts.currentNode.data[i];
      }
    return (number.left >= box.left ? '' : 'no number: ') + seen;
  })()`);
  expect(seen).toMatch(/^[^:]*return long_n/);
  // Values are no column of single letters, and nothing sticks out.
  expect(await page.evaluate('document.getElementById("values").clientHeight')).toBeLessThan(1200);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.close();
});

inBrowser('a failure in the C library stands at the line that calls it', async () => {
  const caller = { place: { file: `${base}/stack.c`, line: 2, column: 5, function: 'f' }, codeFrame: '' };
  const place = { file: '<provest>/string/strcpy.c', line: 8, column: 3, function: 'strcpy' };
  const explanation = traceTo(place);
  const page = await shown({ ...failsAt(8, 3, { place, caller }), explanation });
  expect(await page.locator('#L2').getAttribute('class')).toMatch(/fails.*current/);
  expect(await page.locator('#L2 .sign').textContent()).toBe('✗');
  expect(await page.locator('#where').textContent()).toMatch(/^stack\.c:2 in f, in strcpy of the C library fails here/);
  expect(await page.locator('#banner').textContent()).toContain('stack.c:2 in f');
  await page.close();
});

/** Text below a ratio of 4.5 to what is behind it, as WCAG 2 computes it for level AA. */
const faint = `(() => {
  const channels = (color) => {
    const numbers = color.match(/[\\d.]+/g).map(Number);
    const scale = color.startsWith('color(') ? 255 : 1;
    return [...numbers.slice(0, 3).map((n) => n * scale), numbers[3] ?? 1];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((n, i) => n * a + below[i] * (1 - a)).concat(1);
  const luminance = (color) => color.slice(0, 3)
    .map((n) => (n / 255 <= 0.03928 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
  const ancestors = (element) => (element ? [...ancestors(element.parentElement), element] : []);
  const ratio = (element) => {
    const all = ancestors(element).map((one) => getComputedStyle(one));
    const back = all.reduce((below, style) => over(channels(style.backgroundColor), below), [255, 255, 255, 1]);
    const [r, g, b, a] = channels(all.at(-1).color);
    const text = over([r, g, b, all.reduce((product, { opacity }) => product * Number(opacity), a)], back);
    const [low, high] = [luminance(text), luminance(back)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getClientRects().length > 0)
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((one) => ratio(one) < 4.5)
    .map((one) => one.tagName + '.' + one.className + ': ' + one.textContent.slice(0, 30));
})()`;

inBrowser.each(['light', 'dark'] as const)(
  'every text can be read, %s, also lines that do not matter',
  async (theme) => {
    const { place } = bug.counterexample.failure;
    const statuses = ['fails', 'may-fail', 'open', 'no-alarm', 'holds'] as const;
    const checks = statuses.map(
      (status, i) => ({ check: 'array-bounds', text: 'a[i]', place: { ...place, line: i + 3 }, status }) as const,
    );
    const aside = [{ file: place.file, lines: [1, 2, 9] }];
    const explanation = { checks, lines: [], slices: [{ check: 0, aside }], states: undefined, trace: undefined };
    const page = await shown({ ...bug, remarks, explanation });
    await page.emulateMedia({ reducedMotion: 'reduce' }); // no colours on their way to others
    if (theme === 'dark') await page.keyboard.press('t');
    expect(await page.evaluate(faint)).toEqual([]);
    await page.keyboard.press('d');
    expect(await page.locator('.line.apart').count()).toBe(3);
    expect(await page.evaluate(faint)).toEqual([]);
    await page.close();
  },
);
