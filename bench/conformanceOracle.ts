/**
 * Are the verdicts written in the conformance programs right? CBMC with the unwinding each program names, and gcc's
 * sanitizers on random inputs, are asked.
 *
 *   node scripts/run-ts.js bench/conformanceOracle.ts CBMC_BIN_FOLDER [id prefix]
 *
 * Prints every doubt and ends with 1 if there is any. What the fields mean: fixtures/programs/README.md.
 */
import { readPrograms, type ConformanceProgram } from '../test/conformance/programs';
import { runCbmc, type CbmcOptions } from './conformance/cbmc';
import { runNatively } from './conformance/runs';

const [bin, prefix = ''] = process.argv.slice(2);
if (bin === undefined) throw new Error('name the folder of the cbmc executable');

/** cbmc:12, bounded:12, scaled:12:1000=10, calls:5, reasoned */
function cbmcOptions({
  oracle,
}: ConformanceProgram):
  { readonly kind: string; readonly options: Omit<CbmcOptions, 'bin' | 'timeoutMs'> } | undefined {
  const [kind, number, scale = ''] = oracle.split(':');
  switch (kind) {
    case 'cbmc':
    case 'bounded':
      return { kind, options: { unwind: Number(number) } };
    case 'scaled':
      return {
        kind,
        options: {
          unwind: Number(number),
          scale: new Map(scale.split(',').map((pair) => pair.split('=') as [string, string])),
        },
      };
    case 'calls':
      return { kind, options: { unwind: Number(number) + 1, calls: Number(number) } };
    case 'reasoned':
      return undefined;
    default:
      throw new Error(`no oracle ${oracle}`);
  }
}

async function doubts(program: ConformanceProgram): Promise<readonly string[]> {
  const { expect, properties } = program;
  const found: string[] = [];
  const asked = cbmcOptions(program);
  if (asked) {
    const answer = await runCbmc(program, { bin: bin!, timeoutMs: 120_000, ...asked.options });
    if (answer.kind === 'none') found.push(`CBMC gives no answer: ${answer.why}`);
    else {
      const lines = new Set(
        answer.failing.filter(({ property }) => properties.includes(property)).map(({ line }) => line),
      );
      if (expect.kind === 'proved' && lines.size > 0) found.push(`CBMC: fails on line ${[...lines].join(', ')}`);
      if (expect.kind === 'proved' && asked.kind !== 'bounded' && !answer.complete)
        found.push('CBMC: the unwinding is too small');
      if (expect.kind === 'bug' && !lines.has(expect.line!))
        found.push(`CBMC: does not fail there, but on ${[...lines].join(', ') || 'no line'}`);
      if (expect.kind === 'bug' && lines.size > 1) found.push(`CBMC: fails on lines ${[...lines].join(', ')}`);
    }
    if (properties.length === 1 && properties[0] === 'reach') {
      const all = await runCbmc(program, { bin: bin!, timeoutMs: 120_000, ...asked.options, allChecks: true });
      if (all.kind === 'none') found.push(`CBMC with all checks gives no answer: ${all.why}`);
      else
        for (const { property, line } of all.failing)
          if (property !== 'reach') found.push(`CBMC: undefined behaviour, ${property} on line ${line}`);
    }
  }
  if (program.mode === 'program' && program.dataModel === 'lp64') {
    const runs = await runNatively(program, 60);
    if (typeof runs === 'string') {
      if (!runs.includes('undefined reference')) found.push(`gcc: ${runs}`);
    } else {
      const reach = properties.includes('reach');
      if (expect.kind === 'proved' && reach && runs.errors > 0)
        found.push(`runs: the error is reached (${runs.errors})`);
      if (reach && runs.undefined > 0) found.push(`runs: ${runs.message}`);
      if (expect.kind === 'proved' && !reach && runs.undefined > 0) found.push(`runs: ${runs.message}`);
    }
  }
  return found;
}

async function main(): Promise<void> {
  const programs = readPrograms().filter(({ id }) => id.startsWith(prefix));
  let next = 0,
    doubted = 0;
  const worker = async (): Promise<void> => {
    for (let program = programs[next++]; program; program = programs[next++]) {
      const found = await doubts(program);
      if (found.length > 0) doubted++;
      for (const doubt of found) console.log(`${program.id} (${program.expect.kind}, ${program.oracle}): ${doubt}`);
    }
  };
  await Promise.all([worker(), worker()]);
  console.log(`${programs.length} programs, ${doubted} doubted`);
  process.exitCode = doubted > 0 ? 1 : 0;
}

void main();
