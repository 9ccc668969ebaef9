/**
 * Pictures of graphs, laid out by Graphviz (in WebAssembly, by viz-js) when the report is made, so that the page needs
 * no script for it. Graphviz can take very long over dense graphs and cannot be interrupted, so it works in a thread
 * that is ended after a while.
 */
import { Worker } from 'node:worker_threads';

export const layoutMs = 8_000;
const labelColumns = 34;

export function digraph(lines: readonly string[]): string {
  return [
    'digraph {',
    'bgcolor=transparent; rankdir=TB; nodesep=0.25; ranksep=0.4;',
    'node [shape=box style=rounded margin="0.2,0.1" fontname=Arial fontsize=11]; edge [arrowsize=0.7];',
    ...lines,
    '}',
  ].join('\n');
}

export const short = (text: string): string =>
  text.length <= labelColumns ? text : `${text.slice(0, labelColumns - 1)}…`;
export const quoted = (text: string): string =>
  `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`;

/** In the thread; the graph comes as data. */
const layout = `
const { parentPort, workerData } = require('node:worker_threads');
require(workerData.viz)
  .instance()
  .then((viz) => parentPort.postMessage(viz.renderString(workerData.dot, { format: 'svg' })));
`;

/** Undefined when it takes too long. */
export function layOut(dot: string, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(layout, { eval: true, workerData: { dot, viz: require.resolve('@viz-js/viz') } });
    const timer = setTimeout(() => end(undefined), timeoutMs);
    const end = (svg: string | undefined): void => {
      clearTimeout(timer);
      void worker.terminate().then(() => resolve(svg));
    };
    worker.once('message', (svg: string) => end(svg.slice(svg.indexOf('<svg'))));
    worker.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
