/**
 * Statements. Control flow becomes edges. Leaving a scope ends the lifetime of its objects on every way out, and a jump
 * into one begins it. Jumps to labels are drawn after the whole function is known (`drawJumps`).
 */
import type { Span } from '../../c/source';
import type { BlockStatement, Statement, VariableSymbol } from '../../c/tree';
import { unreachable } from '../../unreachable';
import { and, atMost, equal, integer, or, read, yes } from '../build';
import type { Expression, IntegerScalar } from '../expression';
import { int8 } from '../expression';
import { memoryPlace, objectAddress, trustedAddress } from './objects/address';
import { branch, sourceText, type FunctionLowering, type Label } from './context';
import { initialise } from './objects/initialise';
import { isAggregate, sizeOf } from './objects/layout';
import { copyAggregate, lowerAggregate } from './objects/aggregate';
import { lowerArrayDeclaration, lowerArrayLength } from './objects/stackBlock';
import { lowerCondition } from './condition';
import { halt } from './calls/specialCall';
import { lowerEffect, lowerInto, lowerValue, storePlace } from './value';

export function lowerStatement(f: FunctionLowering, s: Statement): void {
  const first = f.accesses.length;
  drawStatement(f, s);
  f.accesses.length = first;
}

function drawStatement(f: FunctionLowering, s: Statement): void {
  switch (s.kind) {
    case 'block':
      return lowerBlock(f, s);
    case 'declare':
      return lowerDeclaration(f, s);
    case 'array-length':
      return lowerArrayLength(f, s);
    case 'declare-array':
      return lowerArrayDeclaration(f, s);
    case 'cleanup': {
      f.active.push({ kind: 'cleanup', name: sourceText(s.span), draw: () => lowerEffect(f, s.call) });
      return;
    }
    case 'expression':
      return lowerEffect(f, s.expression);
    case 'if':
      return lowerIf(f, s);
    case 'while':
      return lowerWhile(f, s);
    case 'do':
      return lowerDo(f, s);
    case 'for':
      return lowerFor(f, s);
    case 'switch':
      return lowerSwitch(f, s);
    case 'case':
    case 'default': {
      const label = f.caseLocations.get(s);
      if (!label) throw new Error('a case label outside a switch: the front end rejects it');
      placeLabel(f, label, s.span);
      return lowerStatement(f, s.body);
    }
    case 'label': {
      placeLabel(f, labelNamed(f, s.name, s.span), s.span);
      return lowerStatement(f, s.body);
    }
    case 'goto':
      return lowerGoto(f, s.label, s.span);
    case 'computed-goto':
      return lowerComputedGoto(f, s);
    case 'break':
      return leave(f, f.breakTargets, s.span);
    case 'continue':
      return leave(f, f.continueTargets, s.span);
    case 'return':
      return lowerReturn(f, s);
    case 'empty':
      return;
    default:
      return unreachable(s);
  }
}

/** `atEnd` runs inside the scope, after the last item. */
export function lowerBlock(f: FunctionLowering, block: BlockStatement, atEnd: () => void = () => {}): void {
  inScope(f, block, () => {
    for (const item of block.items) lowerStatement(f, item);
    atEnd();
  });
}

function inScope(f: FunctionLowering, scope: Extract<Statement, { kind: 'block' | 'for' }>, body: () => void): void {
  const outer = f.active.length;
  for (const symbol of f.settings.scopes.early.get(scope) ?? []) declareEarly(f, symbol);
  body();
  f.closeScope(outer, { ...scope.span, start: Math.max(scope.span.start, scope.span.end - 1) });
}

function declareEarly(f: FunctionLowering, symbol: VariableSymbol): void {
  if (symbol.storage !== 'automatic') return;
  const home = f.homeOf(symbol);
  if (home.kind === 'frame-object' || home.kind === 'variable') f.declare(home, symbol.span);
}

function lowerDeclaration(f: FunctionLowering, s: Extract<Statement, { kind: 'declare' }>): void {
  const { symbol, span } = s;
  if (symbol.storage !== 'automatic') return;
  const home = f.homeOf(symbol);
  if (home.kind === 'variable') {
    const value = s.value ?? s.initializer?.items[0]?.value;
    if (value)
      return notedIfContract(f, s, () => {
        lowerInto(f, home, value, span);
      });
    f.unset(home, span);
    return;
  }
  if (home.kind !== 'frame-object') throw new Error('automatic variables live in the frame');
  if (!f.settings.scopes.revisited.has(symbol)) f.declare(home, span);
  else if (!s.initializer && !s.value) f.unsetObject(home, span);
  if (s.initializer) initialise(f, home, s.initializer, span);
  const { value } = s;
  if (!value) return;
  if (isAggregate(symbol.type))
    copyAggregate(
      f,
      objectAddress(home),
      notedIfContract(f, s, () => lowerAggregate(f, value)),
      sizeOf(symbol.type, f.model),
      span,
    );
  else
    storePlace(
      f,
      memoryPlace(objectAddress(home), symbol.type),
      notedIfContract(f, s, () => lowerValue(f, value)),
      span,
      span,
    );
}

function notedIfContract<T>(
  f: FunctionLowering,
  { isContract }: Extract<Statement, { kind: 'declare' }>,
  draw: () => T,
): T {
  return isContract ? f.noteContract(draw) : draw();
}

function lowerIf(f: FunctionLowering, s: Extract<Statement, { kind: 'if' }>): void {
  const [then, after] = [f.draft.location(s.then.span), f.draft.location()];
  const otherwise = s.otherwise ? f.draft.location(s.otherwise.span) : after;
  lowerCondition(f, s.condition, then, otherwise);
  f.draft.startAt(then);
  lowerStatement(f, s.then);
  f.draft.goTo(after, s.span);
  if (s.otherwise) {
    f.draft.startAt(otherwise);
    lowerStatement(f, s.otherwise);
    f.draft.goTo(after, s.span);
  }
  f.draft.startAt(after);
}

/** The body, with the targets of its `break` and `continue`. */
function inLoop(f: FunctionLowering, breakTo: Location, continueTo: Location, body: Statement): void {
  const activeCount = f.active.length;
  f.breakTargets.push({ location: breakTo, activeCount });
  f.continueTargets.push({ location: continueTo, activeCount });
  lowerStatement(f, body);
  f.continueTargets.pop();
  f.breakTargets.pop();
}
type Location = FunctionLowering['epilogue'];

function lowerWhile(f: FunctionLowering, s: Extract<Statement, { kind: 'while' }>): void {
  const [head, body, after] = [f.draft.location(s.condition.span), f.draft.location(), f.draft.location()];
  head.loop = s.span;
  f.draft.goTo(head, s.span);
  f.draft.startAt(head);
  f.openLoops++;
  lowerCondition(f, s.condition, body, after);
  f.draft.startAt(body);
  inLoop(f, after, head, s.body);
  f.openLoops--;
  f.draft.goTo(head, s.span);
  f.draft.startAt(after);
}

function lowerDo(f: FunctionLowering, s: Extract<Statement, { kind: 'do' }>): void {
  const [body, condition, after] = [
    f.draft.location(s.body.span),
    f.draft.location(s.condition.span),
    f.draft.location(),
  ];
  body.loop = s.span;
  f.draft.goTo(body, s.span);
  f.draft.startAt(body);
  f.openLoops++;
  inLoop(f, after, condition, s.body);
  f.draft.goTo(condition, s.span);
  f.draft.startAt(condition);
  lowerCondition(f, s.condition, body, after);
  f.openLoops--;
  f.draft.startAt(after);
}

function lowerFor(f: FunctionLowering, s: Extract<Statement, { kind: 'for' }>): void {
  inScope(f, s, () => {
    for (const item of s.init) lowerStatement(f, item);
    const [head, body, step, after] = [
      f.draft.location(s.condition?.span ?? s.span),
      f.draft.location(),
      f.draft.location(s.step?.span),
      f.draft.location(),
    ];
    head.loop = s.span;
    f.draft.goTo(head, s.span);
    f.draft.startAt(head);
    f.openLoops++;
    if (s.condition) lowerCondition(f, s.condition, body, after);
    else f.draft.goTo(body, s.span);
    f.draft.startAt(body);
    inLoop(f, after, step, s.body);
    f.draft.goTo(step, s.span);
    f.draft.startAt(step);
    if (s.step) lowerEffect(f, s.step);
    f.openLoops--;
    f.draft.goTo(head, s.span);
    f.draft.startAt(after);
  });
}

function lowerSwitch(f: FunctionLowering, s: Extract<Statement, { kind: 'switch' }>): void {
  const value = f.nameValue(lowerValue(f, s.condition), 'switch', s.condition.span);
  const type = value.type as IntegerScalar;
  const after = f.draft.location();
  let fallback: Label | undefined;
  for (const label of f.settings.scopes.cases.get(s) ?? []) {
    const target: Label = { location: f.draft.location(label.span), active: undefined };
    f.caseLocations.set(label, target);
    if (label.kind === 'default') {
      fallback = target;
      continue;
    }
    const [matches, next] = [f.draft.location(label.span), f.draft.location(s.condition.span)];
    const condition =
      label.low === label.high ? equal(value, integer(label.low, type)) : inRange(value, label.low, label.high, type);
    branch(f, condition, matches, next, label.span);
    f.draft.startAt(matches);
    jumpTo(f, target, label.span);
    f.draft.startAt(next);
  }
  if (fallback) jumpTo(f, fallback, s.span);
  else f.draft.goTo(after, s.span);
  f.breakTargets.push({ location: after, activeCount: f.active.length });
  lowerStatement(f, s.body);
  f.breakTargets.pop();
  f.draft.goTo(after, s.span);
  f.draft.startAt(after);
}

function inRange(value: Expression, low: bigint, high: bigint, type: IntegerScalar): Expression {
  return and(atMost(integer(low, type), value), atMost(value, integer(high, type)));
}

function lowerReturn(f: FunctionLowering, s: Extract<Statement, { kind: 'return' }>): void {
  const { value, span } = s;
  if (!value || value.type.kind === 'void') {
    if (value) lowerEffect(f, value);
    withoutValue(f, span);
  } else {
    if (f.resultPointer)
      copyAggregate(
        f,
        trustedAddress(read(f.resultPointer)),
        lowerAggregate(f, value),
        sizeOf(value.type, f.model),
        span,
      );
    else if (f.resultVariable) lowerInto(f, f.resultVariable, value, span);
    else lowerEffect(f, value);
  }
  f.endDownTo(0, span);
  if (f.returned && value && value.type.kind !== 'void')
    f.emit({ kind: 'assign', target: f.returned, value: integer(1, int8) }, span);
  f.draft.goTo(f.epilogue, span);
}

/** The function ends without a value for its caller. */
export function withoutValue(f: FunctionLowering, span: Span): void {
  if (f.resultVariable) f.emit({ kind: 'havoc', target: f.resultVariable }, span);
  if (f.returned) f.emit({ kind: 'assign', target: f.returned, value: integer(0, int8) }, span);
}

function leave(f: FunctionLowering, targets: FunctionLowering['breakTargets'], span: Span): void {
  const target = targets[targets.length - 1];
  if (!target) throw new Error('break or continue outside a loop: the front end rejects it');
  f.endDownTo(target.activeCount, span);
  f.draft.goTo(target.location, span);
}

function labelNamed(f: FunctionLowering, name: string, span: Span): Label {
  let label = f.labels.get(name);
  if (!label) f.labels.set(name, (label = { location: f.draft.location(span, name), active: undefined }));
  return label;
}

function placeLabel(f: FunctionLowering, label: Label, span: Span): void {
  label.active = [...f.active];
  f.draft.goTo(label.location, span);
  f.draft.startAt(label.location);
}

function lowerGoto(f: FunctionLowering, name: string, span: Span): void {
  jumpTo(f, labelNamed(f, name, span), span);
}

/** Compares the target with the address of every label that has one. */
function lowerComputedGoto(f: FunctionLowering, s: Extract<Statement, { kind: 'computed-goto' }>): void {
  const { span, labels } = s;
  const target = f.nameValue(lowerValue(f, s.target), 'jump target', span);
  const matches = labels.map(({ address }) => equal(target, lowerValue(f, address)));
  f.check('invalid-call', or(...matches), span, { ifUnchecked: 'assume' });
  labels.forEach(({ label }, i) => {
    const [here, next] = [f.draft.location(span), f.draft.location(span)];
    branch(f, i < labels.length - 1 ? matches[i]! : yes, here, next, span);
    f.draft.startAt(here);
    lowerGoto(f, label, span);
    f.draft.startAt(next);
  });
  if (labels.length === 0) halt(f, undefined, span);
}

function jumpTo(f: FunctionLowering, label: Label, span: Span): void {
  const from = f.draft.location(span);
  f.draft.goTo(from, span);
  f.jumps.push({ from, label, active: [...f.active], span });
}

/** Draws the jumps: objects that end, objects that begin, then the label. */
export function drawJumps(f: FunctionLowering): void {
  for (const { from, label, active, span } of f.jumps) {
    if (!label.active) throw new Error('a jump to a label that is nowhere: the front end rejects it');
    f.draft.startAt(from);
    for (const object of [...active].reverse()) if (!label.active.includes(object)) f.end(object, span);
    for (const object of label.active) {
      if (active.includes(object)) continue;
      if (object.kind === 'cleanup')
        f.reportUnsupported(`this jumps into the scope of '${object.name}', which is cleaned up`, span);
      else if (object.kind === 'stack-block')
        f.reportUnsupported(`this jumps into the scope of the variable-length array '${object.pointer.name}'`, span);
      else f.begin(object, span);
    }
    f.draft.goTo(label.location, span);
  }
}
