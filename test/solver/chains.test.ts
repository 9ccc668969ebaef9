/** Queries about reachability: the laws of chains reach the solver as instances, and models have arrays again. */
import * as L from '../../src/logic/build';
import { type Chain, chainLaws } from '../../src/logic/links/chains';
import type { Term } from '../../src/logic/term';
import { withBothEncodings, createSolver, withInstantiation } from '../../src/solver';
import type { Solver } from '../../src/solver/solver';

const budget = { timeoutMs: 20_000 };
const sort = L.bitsSort(32);
const words = L.arraySort(sort, sort);
const word = (n: number): Term => L.bits(BigInt(n), 32);
const [x, y, z] = ['x', 'y', 'z'].map((name) => L.symbol(name, sort)) as [Term, Term, Term];
const chain: Chain = {
  reach: L.symbol('reach', L.relationSort(32)),
  acyclic: L.symbol('acyclic', L.boolSort),
  count: L.symbol('count', L.countsSort(32)),
  objects: L.symbol('objects', words),
  offsets: L.symbol('offsets', words),
  live: L.symbol('live', L.arraySort(sort, L.boolSort)),
  made: L.symbol('made', words),
  next: L.symbol('next', sort),
  region: word(1),
  offset: word(0),
  lastStatic: word(4),
  withAutomatic: L.FALSE,
  linked: L.TRUE,
  ofClients: L.FALSE,
  statics: [word(3)],
};
const laws = chainLaws(chain);
const reaches = (a: Term, b: Term): Term => L.related(chain.reach, a, b);
const apart = (a: Term, b: Term): Term => L.not(L.eq(a, b));
const object = L.symbol('?object', sort);
const allLive = L.forall([object], L.or(L.not(reaches(x, object)), L.select(chain.live, object)));

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());
const answer = async (...terms: readonly Term[]): Promise<string> => (await solver.check(terms, budget)).kind;

test('the laws hold where no cycle was closed, and are not used elsewhere', async () => {
  const around = [laws, reaches(x, y), reaches(y, x), apart(x, y)];
  expect(await answer(...around, chain.acyclic)).toBe('unsat');
  expect(await answer(...around)).toBe('sat');
  expect(await answer(laws, chain.acyclic, reaches(x, y), reaches(y, z), L.not(reaches(x, z)))).toBe('unsat');
  expect(await answer(laws, chain.acyclic, reaches(x, y), apart(x, y), L.eq(y, chain.next))).toBe('unsat');
  expect(await answer(laws, chain.acyclic, reaches(word(0), y), apart(y, word(0)))).toBe('unsat');
  expect(await answer(laws, chain.acyclic, reaches(word(3), y), apart(y, word(3)))).toBe('sat');
});

test('one step along the link, and a write of it', async () => {
  const step = L.select(chain.objects, x);
  const known = [laws, chain.acyclic, reaches(x, y), apart(x, y)];
  expect(await answer(...known, L.not(reaches(step, y)))).toBe('unsat');
  const cut = L.linkWritten(chain.reach, x, word(0), L.FALSE);
  expect(await answer(...known, L.related(cut, x, y))).toBe('unsat');
  expect(await answer(...known, L.eq(step, z), L.not(L.related(cut, z, y)))).toBe('unsat');
});

test('an object that another array names is the same in the laws and in the query', async () => {
  const back = L.select(L.symbol('back', words), y);
  const known = [laws, chain.acyclic, reaches(x, back)];
  expect(await answer(...known, reaches(back, x), apart(x, back))).toBe('unsat');
  expect(await answer(...known, L.eq(back, z), L.not(reaches(x, z)))).toBe('unsat');
  expect(await answer(...known, apart(x, back))).toBe('sat');
});

test('a model has the elements that were read, and says what fails', async () => {
  const result = await solver.check([laws, chain.acyclic, allLive, reaches(x, y), apart(x, y)], budget);
  if (result.kind !== 'sat') throw new Error(result.kind);
  const { model } = result;
  expect(model.partial).toBe(true);
  expect(model.evaluate(reaches(x, y))).toBe(true);
  expect(model.evaluate(reaches(y, x))).toBe(false);
  expect(model.evaluate(L.select(chain.live, y))).toBe(true);
  expect(await answer(laws, allLive, reaches(x, y), L.not(L.select(chain.live, y)))).toBe('unsat');
});

test('in a session what follows from the first assertions stays, and the rest goes', async () => {
  const session = solver.session();
  for (const term of [laws, chain.acyclic, reaches(x, y)]) session.assert(term);
  const asked = async (...terms: readonly Term[]): Promise<string> => {
    session.push();
    for (const term of terms) session.assert(term);
    const { kind } = await session.check([], budget);
    session.pop();
    return kind;
  };
  expect(await asked(reaches(y, x), apart(x, y))).toBe('unsat');
  expect(await asked(reaches(y, z), L.not(reaches(x, z)))).toBe('unsat');
  expect(await asked(apart(x, y))).toBe('sat');
  expect(await asked(L.not(allLive), L.forall([object], L.select(chain.live, object)))).toBe('unsat');
  expect(await asked(L.not(allLive))).toBe('sat');
  session.close();
});

test('in a session laws that one query asserts are gone with it', async () => {
  const other = { ...chain, reach: L.symbol('reach2', L.relationSort(32)), acyclic: L.symbol('acyclic2', L.boolSort) };
  const around = [L.related(other.reach, x, y), L.related(other.reach, y, x), apart(x, y), other.acyclic];
  const session = solver.session();
  for (const term of [laws, chain.acyclic, reaches(x, y)]) session.assert(term);
  const asked = async (...terms: readonly Term[]): Promise<string> => {
    session.push();
    for (const term of terms) session.assert(term);
    const { kind } = await session.check([], budget);
    session.pop();
    return kind;
  };
  expect(await asked(chainLaws(other), ...around)).toBe('unsat');
  expect(await asked(...around)).toBe('sat');
  expect(await asked(reaches(y, x), apart(x, y))).toBe('unsat');
  session.close();
});

test('the core of a session is of its assumptions, also where these are asserted for the instances', async () => {
  const [p, q, r] = ['p', 'q', 'r'].map((name) => L.symbol(name, L.boolSort)) as [Term, Term, Term];
  const session = solver.session();
  const known = [L.implies(p, reaches(x, y)), L.implies(q, reaches(y, z)), L.implies(r, apart(x, z))];
  for (const term of [laws, chain.acyclic, ...known]) session.assert(term);
  session.push();
  session.assert(L.not(reaches(x, z)));
  const ofNames = await session.check([r, p, q], budget);
  expect(new Set(ofNames.kind === 'unsat' ? ofNames.core : [])).toEqual(new Set([p, q]));
  const named = await session.check([reaches(x, y), q], budget);
  expect(new Set(named.kind === 'unsat' ? named.core : [])).toEqual(new Set([reaches(x, y), q]));
  session.close();
  const withoutChains = solver.session();
  withoutChains.assert(L.not(L.select(chain.live, y)));
  const everywhere = L.forall([object], L.select(chain.live, object));
  expect(await withoutChains.check([p, everywhere], budget)).toMatchObject({ kind: 'unsat', core: [everywhere] });
  withoutChains.close();
});

test('a solver without instances learns nothing from the laws', async () => {
  const plain = createSolver({ seed: 1 });
  expect((await plain.check([laws, chain.acyclic, reaches(x, y), reaches(y, x), apart(x, y)], budget)).kind).not.toBe(
    'unsat',
  );
  await plain.close();
});
