/**
 * The table of engines: each engine that can be asked for has its stages and its row in the documentation, and none
 * contradicts a small program. A few programs; a sixteenth of all with PROVEST_LONG=1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CError, verify } from '../../src/index';
import { portfolioOf, type Stage } from '../../src/engines/portfolio/stages';
import { engineNames, registry, rivals } from '../../src/engines/registry';
import { failingLine, judge, type Answer } from '../conformance/judge';
import { readPrograms, taskOf, type ConformanceProgram } from '../conformance/programs';
import { isLong } from '../long';

const budgetMs = 1500;
const chosen = readPrograms().filter((_, i) => i % (isLong ? 16 : 192) === 5);

const withStages = (stages: readonly Stage[]): readonly Stage[] =>
  stages.flatMap((stage) => [stage, ...withStages(stage.then ?? [])]);

/** Without the parameter behind the colon. */
const baseName = ({ engine }: Stage): string => engine.name.split(':')[0]!;

async function answer(program: ConformanceProgram, engine: string): Promise<Answer> {
  try {
    const verdict = await verify(taskOf(program, budgetMs, engine));
    switch (verdict.kind) {
      case 'proved':
        return { kind: 'proved' };
      case 'bug':
        return { kind: 'bug', line: failingLine(verdict.counterexample.stack) };
      default:
        return { kind: verdict.kind, cause: verdict.reason.cause };
    }
  } catch (error) {
    if (error instanceof CError) return { kind: 'not-evaluated' };
    throw error;
  }
}

describe('the table', () => {
  const names = registry.map(({ name }) => name);

  test('names each engine once', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(rivals).toEqual(['synergy', 'minimax']);
  });

  test('has every engine that some portfolio runs, and no other', () => {
    const used = new Set(
      engineNames.flatMap((engine) =>
        (['default', 'probes'] as const).flatMap((predicates) => {
          const { stages, lastResort } = portfolioOf({ engine, predicates });
          return withStages([...stages, ...lastResort]).map(baseName);
        }),
      ),
    );
    expect([...used].filter((name) => !names.some((known) => known === name))).toEqual([]);
    // A portfolio is no stage of another one.
    expect(names.filter((name) => name !== 'auto' && !used.has(name))).toEqual([]);
  });

  test('is the one in the documentation', () => {
    const page = readFileSync(join(__dirname, '../../docs/synergy.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name!);
    expect(rows.filter((row) => engineNames.some((name) => name === row)).sort()).toEqual([...engineNames].sort());
  });
});

describe.each(engineNames)('%s contradicts no program', (engine) => {
  const limits = registry.find(({ name }) => name === engine)!;
  test.each(chosen.map((program) => [program.id, program] as const))('%s', async (_, program) => {
    const given = await answer(program, engine);
    expect(judge(program, given).kind).not.toBe('wrong');
    if (limits.answers === 'bugs') expect(given.kind).not.toBe('proved');
    if (limits.answers === 'proofs') expect(given.kind).not.toBe('bug');
  });
});
