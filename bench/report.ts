/**
 * What the HTML report of a long module costs: its size, the processor time to write it, and how long Chromium takes to
 * open it, beside the report of a module of a tenth of the length, in turn. Needs Chromium.
 *
 *   node scripts/run-ts.js bench/report.ts [lines=5000] [times=5]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open } from '../test/ux/browser';
import { longReport } from '../test/ux/longReport';

const [lines, times] = [Number(process.argv[2] ?? 5000), Number(process.argv[3] ?? 5)];
const folder = mkdtempSync(join(tmpdir(), 'provest-bench-'));

async function main(): Promise<void> {
  const sizes = [lines / 10, lines];
  const rows = [];
  for (const size of sizes) {
    const began = process.cpuUsage();
    const { html } = await longReport(join(folder, `${size}.c`), size);
    const { user, system } = process.cpuUsage(began);
    writeFileSync(join(folder, `${size}.html`), html);
    rows.push({ size, megabytes: html.length / 1e6, writeMs: (user + system) / 1e3, openMs: [] as number[] });
  }
  const browser = await launch();
  for (let i = 0; i < times; i++) {
    for (const row of rows) {
      const { page } = await open(browser, join(folder, `${row.size}.html`));
      row.openMs.push((await page.evaluate('performance.getEntriesByType("navigation")[0].domComplete')) as number);
      await page.close();
    }
  }
  await browser.close();
  const median = (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  for (const { size, megabytes, writeMs, openMs } of rows)
    console.log(
      `${size} lines: ${megabytes.toFixed(2)} MB, written in ${writeMs.toFixed(0)} ms of processor time, opened ` +
        `in ${median(openMs).toFixed(0)} ms (median of ${times})`,
    );
  console.log(
    `ten times the lines open in ${(median(rows[1]!.openMs) / median(rows[0]!.openMs)).toFixed(1)} times the time`,
  );
}

void main().finally(() => rmSync(folder, { recursive: true, force: true }));
