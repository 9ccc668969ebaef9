/**
 * Atomic operations, GNU's `__atomic_…` and the older `__sync_…`, which `<stdatomic.h>` is made of. There is one
 * thread, so each is what it does to memory, and the orders say nothing. They are written out in C over the pointer
 * `p`, the value `v` and so on; arithmetic wraps.
 */
import { printType } from '../printType';
import type { Span } from '../source';
import type { SyntaxExpression } from '../syntax';
import { isInteger } from '../target';
import type { ElaborationContext } from './context';
import { rvalueOf } from './expressions';
import { writtenInC } from './writtenInC';

interface AtomicOperation {
  /** Names of the arguments in the text; those that only say an order have none, and come last. */
  readonly parameters: readonly string[];
  readonly orders: number | 'any';
  readonly text: string;
  /** On numbers or pointers only. */
  readonly arithmetic: boolean;
}

const operators: Readonly<Record<string, string>> = {
  add: 'x + y',
  sub: 'x - y',
  and: 'x & y',
  or: 'x | y',
  xor: 'x ^ y',
  nand: '~(x & y)',
};
const names = ['p', 'v', 'e', 'd', 'r', 'w', 'x', 'y', 'old', 'new', 'same', 'T'];
/** In a text, what computes `new` from `old` and `v`. */
const step = '<step>';

const operation = (parameters: string, orders: number | 'any', text: string): AtomicOperation => ({
  parameters: parameters.split(' '),
  orders,
  text,
  arithmetic: false,
});
const update = (orders: number | 'any', result: 'old' | 'new'): AtomicOperation => ({
  ...operation('p v', orders, `__auto_type old = *p; ${step} *p = new; ${result};`),
  arithmetic: true,
});
const swap = 'typedef __typeof__(*p) T; _Bool same = *p == (T)e; __auto_type old = *p; if (same) *p = (T)d;';
const operations: ReadonlyMap<string, AtomicOperation> = new Map([
  ['__atomic_load_n', operation('p', 1, '*p;')],
  ['__atomic_load', operation('p r', 1, '*r = *p; (void)0;')],
  ['__atomic_store_n', operation('p v', 1, '*p = v; (void)0;')],
  ['__atomic_store', operation('p r', 1, '*p = *r; (void)0;')],
  ['__atomic_exchange_n', operation('p v', 1, '__auto_type old = *p; *p = v; old;')],
  ['__atomic_exchange', operation('p v r', 1, '__auto_type old = *p; *p = *v; *r = old; (void)0;')],
  [
    '__atomic_compare_exchange_n',
    operation('p e d w', 2, '_Bool same = *p == *e; if (same) *p = d; else *e = *p; same;'),
  ],
  [
    '__atomic_compare_exchange',
    operation('p e d w', 2, '_Bool same = *p == *e; if (same) *p = *d; else *e = *p; same;'),
  ],
  ['__atomic_test_and_set', operation('p', 1, '_Bool old = *(unsigned char *)p != 0; *(unsigned char *)p = 1; old;')],
  ['__atomic_clear', operation('p', 1, '*(unsigned char *)p = 0; (void)0;')],
  ['__atomic_thread_fence', operation('v', 0, '(void)v;')],
  ['__atomic_signal_fence', operation('v', 0, '(void)v;')],
  ['__sync_synchronize', operation('', 'any', '(void)0;')],
  ['__sync_bool_compare_and_swap', operation('p e d', 'any', `${swap} same;`)],
  ['__sync_val_compare_and_swap', operation('p e d', 'any', `${swap} old;`)],
  [
    '__sync_lock_test_and_set',
    operation('p v', 'any', 'typedef __typeof__(*p) T; __auto_type old = *p; *p = (T)v; old;'),
  ],
  ['__sync_lock_release', operation('p', 'any', '*p = 0; (void)0;')],
]);

function operationOf(name: string): { readonly operation: AtomicOperation; readonly computes?: string } | undefined {
  const known = operations.get(name);
  if (known) return { operation: known };
  const match = /^__(?:atomic_fetch_(\w+)|atomic_(\w+)_fetch|sync_fetch_and_(\w+)|sync_(\w+)_and_fetch)$/.exec(name);
  const computes = match?.slice(1).find((operator) => operator !== undefined);
  if (!match || computes === undefined || !Object.hasOwn(operators, computes)) return undefined;
  return {
    operation: update(name.startsWith('__atomic') ? 1 : 'any', (match[1] ?? match[3]) ? 'old' : 'new'),
    computes,
  };
}

/** Undefined when the name is none of these. */
export function atomicOperation(
  ctx: ElaborationContext,
  name: string,
  args: readonly SyntaxExpression[],
  span: Span,
): SyntaxExpression | undefined {
  const found = operationOf(name);
  if (!found) return undefined;
  const {
    operation: { parameters: named, orders, text, arithmetic },
    computes,
  } = found;
  const parameters = named.filter((parameter) => parameter !== '');
  const most = orders === 'any' ? Infinity : parameters.length + orders;
  if (args.length < (orders === 'any' ? parameters.length : most) || args.length > most) {
    return ctx.log.fail(
      `'${name}' takes ${orders === 'any' && parameters.length > 0 ? 'at least ' : ''}` +
        `${orders === 'any' ? parameters.length : most} argument${most === 1 ? '' : 's'}, not ${args.length}`,
      span,
    );
  }
  const pointer =
    args[0] && parameters[0] === 'p' ? ctx.withoutEvaluation(() => rvalueOf(ctx, args[0]!)).type : undefined;
  if (pointer && pointer.kind !== 'pointer')
    return ctx.log.fail(`'${name}' needs a pointer to what it changes, not '${printType(pointer)}'`, args[0]!.span);
  const target = pointer?.kind === 'pointer' ? pointer.to : undefined;
  if (arithmetic && target && target.kind !== 'pointer' && !isInteger(target))
    return ctx.log.fail(`'${name}' works on integers and pointers, not on '${printType(target)}'`, args[0]!.span);
  const orderArguments = args.slice(parameters.length);
  // A pointer moves by bytes, as with compilers.
  const computed =
    target?.kind === 'pointer'
      ? `__auto_type new = (T)((char *)old ${computes === 'sub' ? '-' : '+'} v);`
      : 'unsigned long long x = (unsigned long long)old, y = (unsigned long long)v; T new = ' +
        `(T)(${operators[computes ?? 'add']!});`;
  const declarations = [
    ...parameters.map((parameter) => `__auto_type ${parameter} = 0;`),
    ...orderArguments.map((_, i) => `__auto_type w${i} = 0;`),
  ].join(' ');
  return writtenInC(
    `${declarations} ${text.replace(step, `typedef __typeof__(old) T; ${computed}`)}`,
    [...names, 'w\\d+'],
    args,
    span,
  );
}
