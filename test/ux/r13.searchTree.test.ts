/** R13: the search tree in the report, chosen by mouse and keyboard, at five thousand nodes, dark and light. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { htmlReport, moduleReport } from '../../src/report/html';
import type { SearchNode, SearchTreeReport, Verdict } from '../../src/verdict';
import { proved } from '../report/verdicts';
import { browserTest, launch, open } from './browser';
import { isLong } from '../long';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'provest-tree-'));
const file = join(folder, 'tree.c');
let browser: Browser | undefined;
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});
const inBrowser = browserTest();
const lines = 200;

/** A spine of branches, each with a side that an earlier node covers; the first nodes were forgotten once. */
function report(count: number): SearchTreeReport {
  const tree = Array.from({ length: count }, (_, id): SearchNode => {
    const isSide = id > 2 && id % 2 === 0;
    return {
      id,
      ...(id > 0 && { parent: isSide ? id - 1 : Math.max(0, id - 2) }),
      at: { file, line: 1 + (id % lines), column: 1, function: 'f' },
      pass: id < 20 ? 0 : 1,
      ...(id > 1 && id < 20 && { forgotten: true }),
      kind: isSide ? 'covered' : 'step',
      ...(isSide && { by: 1 }),
      label: [`x <= ${id}`, 'y != 0'],
      ...(id === 1 && {
        vector: [
          { constraint: 'new == old', annotation: 'max' },
          { constraint: 'lock == 0', annotation: 'min' },
        ],
      }),
    };
  });
  return {
    nodes: count,
    final: count - 18,
    infeasible: 0,
    covered: tree.filter(({ kind }) => kind === 'covered').length,
    closed: 0,
    questions: 7,
    avoided: 70,
    seconds: 1.5,
    complete: true,
    tree,
    restarts: [{ at: 1, locked: ['new == old'] }],
  };
}

async function page(name: string, searchTree: SearchTreeReport): Promise<string> {
  const text = Array.from({ length: lines }, (_, i) => `int v${i};`).join('\n');
  const verdict: Verdict = { ...proved, searchTree };
  const made = moduleReport({
    name: 'tree.c',
    verdict,
    mode: 'program',
    version: '1',
    base: folder,
    sources: [{ file, text }],
  });
  const path = join(folder, name);
  writeFileSync(
    path,
    await htmlReport([{ report: made, states: undefined }], {
      version: '1',
      created: new Date(0),
      earlier: undefined,
    }),
  );
  return path;
}

(isLong ? inBrowser : test.skip)(
  'R13 five thousand nodes are listed, filtered and followed to what covers them',
  async () => {
    browser ??= await launch();
    for (const scheme of ['light', 'dark'] as const) {
      const { page: shown, requests, complaints } = await open(browser, await page('large.html', report(5000)), scheme);
      const tree = shown.locator('#search-tree');
      expect(await tree.textContent()).toContain('S = 5000 nodes, T = 1.50 s');
      expect(await tree.locator('.goal-row').count()).toBe(400);
      await shown.keyboard.press('e');
      expect(await shown.evaluate('document.activeElement.id')).toBe('goals');
      await shown.keyboard.press('ArrowDown');
      await shown.keyboard.press('ArrowDown');
      expect(await shown.locator('#goal').textContent()).toContain('1 restart here; locked: new == old');
      expect(await shown.locator('.chips .max').textContent()).toBe('new == old max');
      expect(await shown.locator('.chips .min s').textContent()).toBe('lock == 0');
      // A covered node names what covers it, and leads there.
      await tree.locator('select').last().selectOption('covered');
      await tree.locator('.goal-row').first().click();
      expect(await shown.locator('#goal').textContent()).toContain('covered by 1: nothing new to learn');
      expect(await shown.locator('.line.current .number').textContent()).toBe(String(1 + (20 % lines)));
      await shown.locator('#goal button', { hasText: /^1$/ }).first().click();
      expect(await shown.locator('#goal h3').textContent()).toContain('1: f line 2');
      // Forgotten entries belong to the earlier pass.
      await tree.locator('select').first().selectOption('0');
      expect(await tree.locator('.goal-row').count()).toBe(20);
      expect([requests, complaints]).toEqual([[], []]);
      await shown.close();
    }
  },
);

inBrowser('R13 a small tree is drawn, and its boxes can be chosen', async () => {
  browser ??= await launch();
  const { page: shown, complaints } = await open(browser, await page('small.html', report(40)));
  const boxes = shown.locator('#search-tree .graph g.node');
  expect(await boxes.count()).toBeGreaterThan(15);
  await boxes.nth(1).click();
  expect(await shown.locator('#goal h3').textContent()).toContain('1: f line 2');
  expect(complaints).toEqual([]);
  await shown.close();
});
