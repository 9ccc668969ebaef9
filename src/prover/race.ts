/**
 * Engines that race for one answer, two at a time, each in a process of its own, on machines with a core to spare.
 * `auto` has a head start, in which most programs are answered; then its rivals begin beside it, one after the other,
 * which decide other programs. The first proof or bug counts; all are as well checked as without a race. When the
 * promise is settled, all processes and all they started are gone.
 */
import type { ChildProcess } from 'node:child_process';
import type { Task } from '../task';
import type { Verdict } from '../verdict';
import { rivals } from '../engines/registry';
import { enoughOfACore, idleCoresSince } from '../idleCores';
import { timers } from '../node';
import { prove, type ProveOptions } from './prove';
import { endProver, lowerPriority, isAlive, startProver } from './start';

export interface RaceOptions extends ProveOptions {
  /** Before the rival begins; default 2 s. */
  readonly headStartMs?: number;
  /** Number of cores idle since the head start began; default what the operating system says. */
  readonly idleCores?: () => number;
}

const defaultHeadStartMs = 2_000;
/** With less time left, a rival that has to load first is of no use. */
const leastMs = 2_000;

/** No race where the answer may show which engine came first, or an engine gives none. */
function isRaced({ engine, predicates, refinement, claims, replay, adequacy, explain, budget }: Task): boolean {
  return (
    engine === 'auto' &&
    predicates !== 'probes' &&
    refinement?.escalate !== false &&
    !claims &&
    !replay &&
    !adequacy &&
    !explain &&
    budget.resourcesPerQuery === undefined
  );
}

export async function race(task: Task, options: RaceOptions = {}): Promise<Verdict> {
  const { headStartMs = defaultHeadStartMs, idleCores = idleCoresSince() } = options;
  if (!isRaced(task) || task.budget.milliseconds < headStartMs + leastMs) return prove(task, options);
  const began = Date.now();
  const first = isAlive(options.child) ? options.child : startProverIfPossible(options);
  if (!first) return prove(task, options);
  const favourite = prove(task, { ...options, child: first });
  const ahead = await within(favourite, headStartMs);
  if (ahead || idleCores() < enoughOfACore || options.signal?.aborted) return favourite;
  const { onProgress: _, onTrace: __, ...quietly } = options;
  const leftMs = (): number => task.budget.milliseconds - (Date.now() - began);
  let isOver = false;
  let endRival = (): void => undefined;
  /** Each rival has its part of the time left. Undefined: none of them has an answer, or the race is over. */
  const challenge = async (): Promise<Verdict | undefined> => {
    for (const [i, engine] of rivals.entries()) {
      const left = leftMs();
      const child = !isOver && left >= leastMs && startProverIfPossible(options);
      if (!child) return undefined;
      // A core that is idle now need not be so later: then the rival is what waits.
      lowerPriority(child);
      endRival = () => endProver(child);
      const milliseconds = Math.max(left / (rivals.length - i), leastMs);
      const verdict = await prove(
        { ...task, engine, asked: task.engine, budget: { milliseconds } },
        { ...quietly, child },
      );
      if (verdict.kind === 'proved' || verdict.kind === 'bug') return verdict;
    }
    return undefined;
  };
  const challenged = challenge();
  return new Promise((resolve) => {
    // A favourite that cannot decide has tried its rivals' methods as well.
    void favourite.then((verdict) => {
      isOver = true;
      endRival();
      void challenged.then(() => resolve(verdict));
    });
    void challenged.then((verdict) => {
      if (!verdict || isOver) return;
      endProver(first);
      const seconds = (Date.now() - began) / 1000;
      void favourite.then(() => resolve({ ...verdict, statistics: { ...verdict.statistics, seconds } }));
    });
  });
}

/** One of our own to end. Undefined if none can be started, which `prove` reports better. */
function startProverIfPossible({ script, memoryMb }: ProveOptions): ChildProcess | undefined {
  try {
    return startProver(script, memoryMb);
  } catch {
    return undefined;
  }
}

async function within(verdict: Promise<Verdict>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = timers.setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([verdict.then(() => true), late]);
  timers.clearTimeout(timer);
  return inTime;
}
