/**
 * Leaks of modules: when a function returns to a client, each block of the allocator must be reached from the module's
 * variables or be held by the client. Only then is no activation of the module left whose variables could lead to one.
 * A flag says where a function of the module waits for a call to return: a call that returns to the module itself is
 * not checked.
 */
import type { Span } from '../../../c/source';
import { allReached, compare, integer, read } from '../../build';
import { int8, type Variable } from '../../expression';
import type { FunctionDefinition, GlobalVariable } from '../../program';
import { branch, type FunctionLowering, type KeptBlocks } from '../context';
import type { EntryNames } from '../lowerOptions';

/** Adds the flag to the globals. */
export function keptBlocks(entries: EntryNames, globals: GlobalVariable[], span: Span): KeptBlocks {
  const inside: Variable = {
    kind: 'variable',
    scope: 'global',
    slot: globals.length,
    name: '<called by the module>',
    type: int8,
    temporary: false,
  };
  globals.push({ variable: inside, initial: undefined, visible: false, span });
  return {
    isEntry: ({ name, linkage, library }) =>
      entries === 'external linkage' ? linkage === 'external' && !library : entries.has(name),
    inside,
    pointers: () => globals.flatMap(({ variable }) => (variable.type.kind === 'pointer' ? [variable] : [])),
  };
}

/** Called where a function ends, when its automatic objects are gone. */
export function checkKept(f: FunctionLowering, fn: FunctionDefinition, span: Span): void {
  const { kept } = f.program;
  if (!kept?.isEntry(fn)) return;
  const [returns, after] = [f.draft.location(span), f.draft.location(span)];
  branch(f, compare('eq', read(kept.inside), integer(0, int8)), returns, after, span);
  f.draft.startAt(returns);
  const result = f.resultVariable?.type.kind === 'pointer' ? [f.resultVariable] : [];
  f.check('leak', allReached([...kept.pointers(), ...result].map(read)), span, {
    text: 'every allocated block is reached or freed',
    ifUnchecked: 'ignore',
  });
  f.draft.goTo(after, span);
  f.draft.startAt(after);
}

/** Makes a call by the module, whose callee may be an entry or call one back. */
export function callInside<T>(f: FunctionLowering, callsEntry: boolean, span: Span, call: () => T): T {
  const { kept } = f.program;
  if (!kept || !callsEntry) return call();
  const before = f.temporary(int8, 'inside');
  f.emit({ kind: 'assign', target: before, value: read(kept.inside) }, span);
  f.emit({ kind: 'assign', target: kept.inside, value: integer(1, int8) }, span);
  const result = call();
  f.emit({ kind: 'assign', target: kept.inside, value: read(before) }, span);
  return result;
}
