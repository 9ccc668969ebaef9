/**
 * The typed tree as compact s-expressions, for tests: `x` is an lvalue, `[x]` its load, `7:int` a constant, `<long>e`
 * an implicit and `(long)e` an explicit conversion; every arithmetic node shows its type.
 */
import { printType } from '../../src/c/printType';
import type { TypedExpression, Initializer, Statement, TranslationUnit } from '../../src/c/tree';

export function exprText(e: TypedExpression): string {
  const t = printType(e.type);
  switch (e.kind) {
    case 'integer':
      return `${e.value}:${t}`;
    case 'float':
      return `${e.value}:${t}`;
    case 'string':
      return `${JSON.stringify(Buffer.from(e.bytes).toString('latin1'))}:${t}`;
    case 'variable':
    case 'function':
      return e.symbol.name;
    case 'dereference':
      return `*${exprText(e.pointer)}`;
    case 'member':
      return (
        `${exprText(e.object)}.${e.field.name ?? '?'}@${e.field.offsetBytes}` +
        `${e.field.bits ? `:${e.field.bits.offset}+${e.field.bits.width}` : ''}`
      );
    case 'compound-literal':
      return `(literal ${t} ${initText(e.initializer)})`;
    case 'load':
      return `[${exprText(e.lvalue)}]`;
    case 'decay':
      return `decay(${exprText(e.lvalue)})`;
    case 'function-pointer':
      return `&${exprText(e.designator)}`;
    case 'address-of':
      return `&${exprText(e.lvalue)}`;
    case 'convert':
      return e.implicit ? `<${t}>${exprText(e.operand)}` : `(${t})${exprText(e.operand)}`;
    case 'unary':
      return `(${e.operator} ${exprText(e.operand)}):${t}`;
    case 'not':
      return `(! ${exprText(e.operand)})`;
    case 'arithmetic':
      return `(${e.operator} ${exprText(e.left)} ${exprText(e.right)}):${t}`;
    case 'relational':
      return `(${e.operator} ${exprText(e.left)} ${exprText(e.right)})`;
    case 'pointer-add':
      return (
        `(ptr${e.subtract ? '-' : '+'}${e.subscript ? '[]' : ''} ` + `${exprText(e.pointer)} ${exprText(e.index)}):${t}`
      );
    case 'pointer-difference':
      return `(ptrdiff ${exprText(e.left)} ${exprText(e.right)}):${t}`;
    case 'logical':
      return `(${e.operator} ${exprText(e.left)} ${exprText(e.right)})`;
    case 'conditional':
      return `(? ${exprText(e.condition)} ${e.then ? exprText(e.then) : '-'} ${exprText(e.otherwise)}):${t}`;
    case 'assign':
      return `(= ${exprText(e.target)} ${exprText(e.value)}):${t}`;
    case 'compound-assign':
      return `(${e.operator}= ${exprText(e.target)} ${exprText(e.operand)} in ${printType(e.computationType)}):${t}`;
    case 'pointer-update':
      return (
        `(ptr${e.subtract ? '-' : '+'}=${e.result === 'old' ? ' old' : ''} ${exprText(e.target)} ` +
        `${exprText(e.index)}):${t}`
      );
    case 'increment':
      return (
        `(${e.delta === 1 ? '++' : '--'}${e.result === 'old' ? ' old' : ''} ${exprText(e.target)} in ` +
        `${printType(e.computationType)}):${t}`
      );
    case 'call':
      return `(call ${[e.callee, ...e.arguments].map(exprText).join(' ')}):${t}`;
    case 'comma':
      return `(, ${exprText(e.left)} ${exprText(e.right)})`;
    case 'statement-expression':
      return `({${e.body.items.map(statementText).join(' ')} => ${e.result ? exprText(e.result) : 'void'}})`;
    case 'va-start':
      return `(va-start ${exprText(e.list)})`;
    case 'va-arg':
      return `(va-arg ${exprText(e.list)}):${t}`;
    case 'va-copy':
      return `(va-copy ${exprText(e.target)} ${exprText(e.source)})`;
    case 'va-end':
      return `(va-end ${exprText(e.list)})`;
  }
}

export function initText(init: Initializer): string {
  const strings = init.strings.map(
    (s) => `${s.offsetBytes}:${JSON.stringify(Buffer.from(s.bytes).toString('latin1'))}`,
  );
  const items = init.items.map(
    (i) =>
      `${i.offsetBytes}${i.field?.bits ? `:${i.field.bits.offset}+${i.field.bits.width}` : ''}:${exprText(i.value)}`,
  );
  return `{${[...strings, ...items].join(', ')}}/${init.sizeBytes}`;
}

export function statementText(s: Statement): string {
  switch (s.kind) {
    case 'block':
      return `{${s.items.map(statementText).join(' ')}}`;
    case 'declare':
      return (
        `${printType(s.symbol.type, s.symbol.name)}` +
        `${s.value ? ` = ${exprText(s.value)}` : s.initializer ? ` = ${initText(s.initializer)}` : ''};`
      );
    case 'array-length':
      return `${s.symbol.name} = ${exprText(s.value)};`;
    case 'declare-array':
      return `${s.symbol.name}[${s.lengths.map(exprText).join('][')}];`;
    case 'cleanup':
      return `at the end ${exprText(s.call)};`;
    case 'expression':
      return `${exprText(s.expression)};`;
    case 'if':
      return (
        `if ${exprText(s.condition)} ` +
        `${statementText(s.then)}${s.otherwise ? ` else ${statementText(s.otherwise)}` : ''}`
      );
    case 'while':
      return `while ${exprText(s.condition)} ${statementText(s.body)}`;
    case 'do':
      return `do ${statementText(s.body)} while ${exprText(s.condition)};`;
    case 'for':
      return (
        'for ' +
        `(${s.init.map(statementText).join(' ')}|${s.condition ? exprText(s.condition) : ''}` +
        `|${s.step ? exprText(s.step) : ''}) ${statementText(s.body)}`
      );
    case 'switch':
      return `switch ${exprText(s.condition)} ${statementText(s.body)}`;
    case 'case':
      return `case ${s.low}${s.high === s.low ? '' : `...${s.high}`}: ${statementText(s.body)}`;
    case 'default':
      return `default: ${statementText(s.body)}`;
    case 'label':
      return `${s.name}: ${statementText(s.body)}`;
    case 'goto':
      return `goto ${s.label};`;
    case 'computed-goto':
      return `goto *${exprText(s.target)};`;
    case 'break':
    case 'continue':
      return `${s.kind};`;
    case 'return':
      return `return${s.value ? ` ${exprText(s.value)}` : ''};`;
    case 'empty':
      return ';';
  }
}

/** Variables with their storage and initialisers, then functions. */
export function unitText(unit: TranslationUnit): string {
  const variables = unit.variables.map(
    (v) =>
      `${v.storage}${v.owner === undefined ? '' : `(${v.owner})`} ` +
      `${printType(v.type, v.name)}${v.addressTaken ? ' &' : ''}` +
      `${v.initializer ? ` = ${initText(v.initializer)}` : ''}`,
  );
  const functions = unit.functions.map(
    (f) =>
      `${f.linkage === 'internal' ? 'static ' : ''}${printType(f.type, f.name)}` +
      `${f.body ? ` ${statementText(f.body)}` : ''}`,
  );
  return [...variables, ...functions].join('\n');
}
