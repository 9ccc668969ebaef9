/**
 * Search by running: calls per second, without watching for failures of the proof engines, of functions that are small,
 * work on texts, or keep state; and calls and seconds to seeded bugs, for some seeds.
 *
 *   node scripts/run-ts.js bench/search.ts [millions of edges, default 2] [seeds, default 3]
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzzProgram } from '../src/engines/search/fuzzing';
import type { Property } from '../src/program/command';
import { loadProgram } from '../src/program';

const [millions = '2', seeds = '3'] = process.argv.slice(2);

/** `correct` ones are searched to the end; the others until they fail. */
const modules: Readonly<Record<string, { readonly correct: string; readonly buggy: string }>> = {
  'small function': {
    correct: 'int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }',
    buggy: 'int clamp(int x, int low, int high) { return x < low ? low : x - 2 > high ? high : x; }',
  },
  text: {
    correct: `int parse(const char *s) { if (!s) return -1; int n = 0;
      for (int i = 0; s[i] >= '0' && s[i] <= '9' && n < 1000; i++) n = 10 * n + (s[i] - '0'); return n; }`,
    buggy: `static int seen[50]; int parse(const char *s) { if (!s) return -1; int n = 0;
      for (int i = 0; s[i] >= '0' && s[i] <= '9' && n < 1000; i++) n = 10 * n + (s[i] - '0'); return seen[n]++; }`,
  },
  'state machine': {
    correct: `static int state; static unsigned char payload[32], length, received;
      int feed(unsigned char b) { switch (state) { case 0: if (b == 0x7e) state = 1; break;
      case 1: if (b == 0 || b > 32) state = 0; else { length = b; received = 0; state = 2; } break;
      case 2: payload[received++] = b; if (received == length) state = 0; break; } return state; }`,
    buggy: `static int state; static unsigned char payload[32], length, received;
      int feed(unsigned char b) { switch (state) { case 0: if (b == 0x7e) state = 1; break;
      case 1: if (b == 0 || b > 33) state = 0; else { length = b; received = 0; state = 2; } break;
      case 2: payload[received++] = b; if (received == length) state = 0; break; } return state; }`,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'search-'));

function search(
  name: string,
  text: string,
  edges: number,
  seed: number,
): { readonly calls: number; readonly seconds: number; readonly isFound: boolean } {
  const file = join(folder, `${name.replaceAll(' ', '_')}.c`);
  writeFileSync(file, text);
  const program = loadProgram([file], { externals: 'error' });
  let calls = 0;
  const began = process.cpuUsage();
  const found = fuzzProgram(program, {
    entries: program.functions.filter(({ linkage, library }) => linkage === 'external' && !library),
    checkedProperties: new Set<Property>(['memsafety', 'overflow', 'div-by-zero']),
    permits: () => {
      calls++;
      return true;
    },
    maximumCalls: 40,
    seed,
    edges,
    stop: () => false,
  });
  const { user, system } = process.cpuUsage(began);
  return { calls, seconds: (user + system) / 1e6, isFound: found !== undefined };
}

for (const [name, { correct, buggy }] of Object.entries(modules)) {
  search(name, correct, 200_000, 1);
  const { calls, seconds, isFound } = search(name, correct, Number(millions) * 1e6, 1);
  console.log(`${name}: ${calls} calls, ${Math.round(calls / seconds)} a second${isFound ? ', fails' : ''}`);
  for (let seed = 1; seed <= Number(seeds); seed++) {
    const bug = search(name, buggy, Number(millions) * 1e6, seed);
    console.log(
      `${name}, seed ${seed}: ${bug.isFound ? 'found' : 'not found'} after ${bug.calls} calls, ` +
        `${bug.seconds.toFixed(2)} s`,
    );
  }
}
