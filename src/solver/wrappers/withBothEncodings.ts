/**
 * Two readings of every question: as mathematical integers with explicit wrapping, and as bit-vectors. The answers of
 * both are exact, so whichever comes first is right; which one is fast depends on the program: sums and orders want
 * integers, masks and shifts want bits. A question goes in turn to one and the other, with little effort first and all
 * the rest later, and begins with the reading that answered last time. Effort is counted in the solver's own units, so
 * that the order of things is the same on every machine.
 */
import { performance } from 'node:perf_hooks';
import type { Term } from '../../logic/term';
import { unknown } from '../query';
import type { Answer, Encoding, QueryBudget, Session, Solver } from '../solver';

/** Resource units of the first turns; the last two turns have no limit of their own. */
const turns = [400_000, 4_000_000, undefined] as const;
/** The clock is only behind the units: on a busy machine it must not be what decides. */
const shareOfTime = [0.4, 0.6, 1] as const;

const other = (encoding: Encoding): Encoding => (encoding === 'bits' ? 'integers' : 'bits');

/** Sessions and checks without an encoding asked for go by both. */
export function withBothEncodings(solver: Solver): Solver {
  const preference = new EncodingPreference();
  const preferences = new WeakMap<object, EncodingPreference>();
  const preferenceFor = (about: object | undefined): EncodingPreference => {
    const known = about && preferences.get(about);
    if (known) return known;
    const own = preference.copy();
    if (about) preferences.set(about, own);
    return own;
  };
  return {
    name: solver.name,
    get statistics() {
      return solver.statistics;
    },
    close: () => solver.close(),
    session: (options) =>
      options?.encoding ? solver.session(options) : new AlternatingSession(solver, preferenceFor(options?.about)),
    check: (assertions, budget, options) =>
      options?.encoding
        ? solver.check(assertions, budget, options)
        : inTurns(preference, budget, (encoding, share, turn) =>
            turn === 0 ? inSession(solver, assertions, share, encoding) : solver.check(assertions, share, { encoding }),
          ),
  };
}

/** Easy questions do not need the solver that is chosen for a logic, which takes longer to begin. */
async function inSession(
  solver: Solver,
  assertions: readonly Term[],
  budget: QueryBudget,
  encoding: Encoding,
): Promise<Answer> {
  const session = solver.session({ encoding });
  try {
    for (const term of assertions) session.assert(term);
    return await session.check([], budget);
  } finally {
    session.close();
  }
}

class EncodingPreference {
  constructor(public encoding: Encoding = 'integers') {}
  copy(): EncodingPreference {
    return new EncodingPreference(this.encoding);
  }
}

async function inTurns(
  preference: EncodingPreference,
  budget: QueryBudget,
  ask: (encoding: Encoding, budget: QueryBudget, turn: number) => Promise<Answer>,
): Promise<Answer> {
  const end = performance.now() + budget.timeoutMs;
  let answer: Answer = unknown('timeout', 'no time to ask');
  const given = new Set<Encoding>();
  let before = 0;
  for (const [i, units] of turns.entries()) {
    const resources = Math.min(budget.resources ?? Infinity, units ?? Infinity);
    // The same effort once more would end the same way.
    if (resources <= before) return answer;
    before = resources;
    const first = preference.encoding;
    for (const encoding of [first, other(first)]) {
      if (given.has(encoding)) continue;
      const left = end - performance.now();
      if (left < 1) return answer;
      answer = await ask(
        encoding,
        {
          timeoutMs: Math.max(1, Math.min(left, budget.timeoutMs * shareOfTime[i]!)),
          ...(Number.isFinite(resources) && { resources }),
        },
        i,
      );
      if (answer.kind !== 'unknown') {
        preference.encoding = encoding;
        return answer;
      }
      switch (answer.cause) {
        case 'timeout':
        case 'resources':
          break;
        case 'interrupted':
          return answer;
        // More effort would end the same way.
        case 'incomplete':
        case 'memory':
        case 'died':
        case 'error':
          given.add(encoding);
          break;
      }
    }
  }
  return answer;
}

interface Frame {
  readonly assertions: Term[];
}

class AlternatingSession implements Session {
  private readonly frames: Frame[] = [{ assertions: [] }];
  private readonly opened = new Map<Encoding, Session>();
  private asking = false;

  constructor(
    private readonly solver: Solver,
    private readonly preference: EncodingPreference,
  ) {}

  assert(term: Term): void {
    this.mustRest();
    this.frames[this.frames.length - 1]!.assertions.push(term);
    for (const session of this.opened.values()) session.assert(term);
  }

  push(): void {
    this.mustRest();
    this.frames.push({ assertions: [] });
    for (const session of this.opened.values()) session.push();
  }

  pop(): void {
    this.mustRest();
    if (this.frames.length === 1) throw new Error('pop without push');
    this.frames.pop();
    for (const session of this.opened.values()) session.pop();
  }

  async check(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    this.mustRest();
    this.asking = true;
    try {
      return await inTurns(this.preference, budget, (encoding, share) =>
        this.session(encoding).check(assumptions, share),
      );
    } finally {
      this.asking = false;
    }
  }

  close(): void {
    for (const session of this.opened.values()) session.close();
  }

  /** A later turn would see what came after the question. */
  private mustRest(): void {
    if (this.asking) throw new Error('a session is left alone until its check is answered');
  }

  private session(encoding: Encoding): Session {
    let session = this.opened.get(encoding);
    if (session) return session;
    session = this.solver.session({ encoding });
    this.opened.set(encoding, session);
    this.frames.forEach(({ assertions }, i) => {
      if (i > 0) session.push();
      for (const term of assertions) session.assert(term);
    });
    return session;
  }
}
