/**
 * The report as one HTML file that needs nothing else: no network (the page's policy forbids it), no other file. The
 * data is embedded as JSON; the style and the scripts are `page.css`, `pasteable.js`, `searchTree.js`,
 * `heapPicture.js`, `failures.js` and `page.js`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateGraph } from '../../explanation';
import { dataElement, differenceTo, readReport } from './difference';
import { sha256 } from '../../sha256';
import { drawPartition } from './drawPartition';
import { drawStates } from './drawStates';
import { drawTree } from './drawTree';
import type { ModuleReport } from './moduleReport';

export { moduleReport, type ModuleReport, type ReportInput } from './moduleReport';

export interface ReportOptions {
  readonly version: string;
  readonly created: Date;
  /** The text of the file that is replaced, if there is one: what is compared with. */
  readonly earlier: string | undefined;
}

export async function htmlReport(
  modules: readonly { readonly report: ModuleReport; readonly states: StateGraph | undefined }[],
  { version, created, earlier }: ReportOptions,
): Promise<string> {
  const before = earlier === undefined ? undefined : readReport(earlier);
  const drawn = [];
  // One after the other: each layout has a processor to itself.
  for (const { report, states } of modules)
    drawn.push({
      ...report,
      states: states ? await drawStates(states) : null,
      partition: report.verdict.refinement ? await drawPartition(report.verdict.refinement.graph) : null,
      tree: report.verdict.searchTree ? await drawTree(report.verdict.searchTree) : null,
      difference: differenceTo(before, report),
    });
  const asset = (name: string): string => readFileSync(join(__dirname, name), 'utf8');
  const script = ['pasteable.js', 'searchTree.js', 'heapPicture.js', 'failures.js', 'page.js'].map(asset).join('');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(script, 'base64')}'`;
  const data = JSON.stringify({ version, created: created.toISOString(), modules: drawn });
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>provest: ${escapeHtml(modules.map(({ report }) => report.name).join(', '))}</title>`,
    `<style>${asset('page.css')}</style>`,
    '</head>',
    '<body>',
    '<noscript>This report is drawn by the script it contains; allow it to run.</noscript>',
    // "<" would end the element, "-->" and the like are made of it.
    `<script type="application/json" id="${dataElement}">${data.replace(/</g, '\\u003c')}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
