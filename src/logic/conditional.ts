/**
 * `ite`. Boolean conditionals become connectives; nested conditionals with the same condition or branch, and stores,
 * are merged.
 */
import { store, select } from './arrays/arrays';
import { eq } from './comparison';
import { application, bool, commonSort, isApplication } from './intern';
import { and, not, or } from './propositional';
import type { Term } from './term';

export function ite(condition: Term, then: Term, otherwise: Term): Term {
  const sort = commonSort(then, otherwise);
  let c = condition;
  let t = then;
  let e = otherwise;
  if (c.kind === 'boolean') return c.value ? t : e;
  if (isApplication(c, 'not')) [c, t, e] = [c.args[0]!, e, t];
  t = under(c, true, t);
  e = under(c, false, e);
  if (t === e) return t;
  if (sort.kind === 'boolean') return booleanConditional(c, t, e);

  if (isApplication(t, 'ite')) {
    if (t.args[2] === e) return ite(and(c, t.args[0]!), t.args[1]!, e);
    if (t.args[1] === e) return ite(and(c, not(t.args[0]!)), t.args[2]!, e);
  }
  if (isApplication(e, 'ite')) {
    if (e.args[1] === t) return ite(or(c, e.args[0]!), t, e.args[2]!);
    if (e.args[2] === t) return ite(or(c, not(e.args[0]!)), t, e.args[1]!);
  }
  if (sort.kind === 'array') {
    const [ta, ti, tv] = isApplication(t, 'store') ? t.args : [];
    const [ea, ei, ev] = isApplication(e, 'store') ? e.args : [];
    if (ta && ta === ea && ti === ei) return store(ta, ti!, ite(c, tv!, ev!));
    if (ta && ta === e) return store(e, ti!, ite(c, tv!, select(e, ti!)));
    if (ea && ea === t) return store(t, ei!, ite(c, select(t, ei!), ev!));
  }
  return application('ite', sort, [c, t, e]);
}

/** The branch that a nested conditional on the same condition takes. */
function under(c: Term, value: boolean, branch: Term): Term {
  if (branch === c) return bool(value);
  return isApplication(branch, 'ite') && branch.args[0] === c ? branch.args[value ? 1 : 2]! : branch;
}

function booleanConditional(c: Term, t: Term, e: Term): Term {
  if (t.kind === 'boolean') return t.value ? or(c, e) : and(not(c), e);
  if (e.kind === 'boolean') return e.value ? or(not(c), t) : and(c, t);
  if (t === not(e)) return eq(c, t);
  return application('ite', t.sort, [c, t, e]);
}
