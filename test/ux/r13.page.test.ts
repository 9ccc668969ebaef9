/**
 * R13: the page by the eye of somebody who sees it for the first time: what to do next is open and can be copied, figures
 * about effort come last, nothing is cut off on a narrow screen, and a short source leaves no empty space.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { htmlReport, moduleReport } from '../../src/report/html';
import type { Verdict } from '../../src/verdict';
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
const text = Array.from({ length: 14 }, (_, i) => `int line_${i + 1};`).join('\n');

async function shown(verdict: Verdict, size = { width: 1300, height: 850 }): Promise<Page> {
  const sources = [{ file: `${base}/stack.c`, text }];
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
  expect(await page.locator('#counterexample pre').isVisible()).toBe(true);
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
  await page.waitForFunction("document.querySelector('#left').childElementCount === 1");
  expect(await idsIn(page, '#right')).toEqual(['counterexample', 'adequacy', 'assumptions', 'remarks']);
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
