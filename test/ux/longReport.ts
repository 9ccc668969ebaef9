/**
 * The report of a module of a given length, with four checks in every function of ten lines: for the test of its size,
 * and for the measure of its speed.
 */
import { writeFileSync } from 'node:fs';
import { plainOptions, TransitionSystem } from '../../src/abstraction/transitionSystem/transitionSystem';
import { explain } from '../../src/engines/explanation/explanation';
import { ModuleInstance } from '../../src/host/module';
import { loadProgram } from '../../src/program';
import { defaultProperties } from '../../src/program/command';
import { htmlReport, moduleReport } from '../../src/report/html';
import { proved } from '../report/verdicts';

export const checksPerFunction = 4;
export const linesPerFunction = 10;

/** Writes `file`, C of `lines` lines, and gives back its report. */
export async function longReport(
  file: string,
  lines: number,
): Promise<{ readonly html: string; readonly checks: number }> {
  const text = Array.from(
    { length: lines / linesPerFunction },
    (_, i) =>
      `static int data${i}[16];\nint step${i}(int x) {\n  int sum = 0;\n` +
      `  for (int j = 0; j < 16; j++) {\n    data${i}[j] = data${i}[j] / 2 + x % 7;\n` +
      `    sum = sum + data${i}[j] / 4;\n  }\n  /* a line of comment */\n  return sum;\n}\n`,
  ).join('');
  writeFileSync(file, text);
  const program = loadProgram([file], { externals: 'error' });
  const explanation = await explain({
    program,
    kind: 'proved',
    checkedProperties: new Set(defaultProperties),
    abstraction: undefined,
    wholeSystem: () =>
      new TransitionSystem(program, { ...plainOptions, mode: 'module', entries: [], checkedProperties: new Set() }),
    closed: true,
    alarms: [],
    rerun: undefined,
    probes: () => new Map(),
    task: {
      files: [file],
      load: {},
      mode: 'module',
      probes: [],
      runs: [],
      properties: defaultProperties,
      engine: 'auto',
      seed: 1,
      budget: { milliseconds: 1000 },
    },
    instance: () => new ModuleInstance(program, { name: 'long.c' }),
    solver: {
      name: Promise.resolve('none'),
      session: nobody,
      check: nobody,
      close: nobody,
      statistics: { queries: 0, sat: 0, unsat: 0, unknown: 0, avoided: 0, milliseconds: 0 },
    },
    query: () => ({ timeoutMs: 1 }),
    stop: () => true,
  });
  const report = moduleReport({
    name: 'long.c',
    verdict: { ...proved, explanation },
    mode: 'module',
    version: '1',
    base: '/',
    sources: [{ file, text }],
  });
  return {
    html: await htmlReport([{ report, states: explanation.states }], {
      version: '1',
      created: new Date(0),
      earlier: undefined,
    }),
    checks: explanation.checks.length,
  };
}

function nobody(): never {
  throw new Error('the solver is not asked');
}
