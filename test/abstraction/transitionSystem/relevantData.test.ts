/** The shared data that matters to a part of a module. */
import { observablesOf } from '../../../src/abstraction/candidates/observables';
import { relevantMemory } from '../../../src/abstraction/transitionSystem/relevantData';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { askedIn } from '../../../src/evidence/certificates/certify';
import { components } from '../../../src/reductions/components';
import { isDeclined } from '../../../src/reductions/reduction';
import { programOf } from '../../program/programOf';

const wholeOf = (text: string): TransitionSystem => {
  const program = programOf(text, { externals: 'error' });
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ linkage, library }) => linkage === 'external' && !library),
    checkedProperties: new Set(['memsafety', 'overflow']),
  });
};

function partsOf(whole: TransitionSystem): TransitionSystem[] {
  const parts = components.reduce(whole, new Set(askedIn(whole)), () => false);
  if (isDeclined(parts)) throw new Error(parts.why);
  return parts.map(({ weakening }) => new TransitionSystem(whole.program, { ...whole.options, weakening }));
}

/** Memory with contents, and the numbers observed between calls. */
const dataOf = (system: TransitionSystem): { readonly memory: string[]; readonly observed: string[] } => ({
  memory: relevantMemory(system).flatMap(({ role, name }) => (role.kind === 'slot' ? [name.replace(/.*:/, '')] : [])),
  observed: observablesOf(system)
    .get(system.client!)!
    .map(({ name }) => name),
});

const table = (name: string): string => `
static int ${name}[16]; static int used_${name};
int put_${name}(int v) { if (used_${name} >= 16) return -1; ${name}[used_${name}++] = v; return 0; }
int find_${name}(int v) { for (int i = 0; i < used_${name}; i++) if (${name}[i] == v) return i; return -1; }
`;

test('to a part its own data matters, to the module all', () => {
  const whole = wholeOf(table('a') + table('b'));
  expect(dataOf(whole)).toEqual({ memory: ['a+0', 'b+0'], observed: ['used_a', 'used_b'] });
  expect(partsOf(whole).map(dataOf)).toEqual([
    { memory: ['a+0'], observed: ['used_a'] },
    { memory: ['b+0'], observed: ['used_b'] },
  ]);
});

test('data matters that is copied into what is checked', () => {
  const whole = wholeOf(`
static int limit, next[4], t[8];
void reserve(int n) { if (n >= 0 && n < 8) next[n & 3] = n; }
void begin(int i) { limit = next[i & 3]; }
void set(int v) { t[limit] = v; }
${table('a')}`);
  const part = partsOf(whole).find(({ functions }) => functions.some(({ name }) => name === 'set'))!;
  const { memory, observed } = dataOf(part);
  expect(observed).toEqual(['limit']);
  expect(memory).toContain('next+0');
  expect(memory).not.toContain('a+0');
});
