/**
 * Functions with a meaning in lowering if a program declares but does not define them: the assertions, assumptions and
 * inputs of verification programs, the end of the program, the allocator, and compiler built-ins.
 */
import type { FunctionType } from '../../../c/types';

export type Special =
  /** `__provest_assert(condition, text)`. */
  | { readonly kind: 'assert-with-text' }
  | { readonly kind: 'assert' }
  /** `__provest_requires(condition, text)`, `__provest_ensures` and `__provest_claim`, of `provest.h`. */
  | { readonly kind: 'requires' | 'ensures' | 'claim' }
  /** `__provest_bytes_from(p)`: the number of bytes from `p` to the end of its object. */
  | { readonly kind: 'bytes-from' }
  /** Questions about lists, see `ListQuestion`: `__provest_list_ends(list, link, bytes)`, and with a node. */
  | { readonly kind: 'list-ends' | 'list-has' | 'list-nodes' | 'list-all' }
  | { readonly kind: 'assert-not' }
  | { readonly kind: 'assert-if' }
  | { readonly kind: 'error' }
  | { readonly kind: 'assume' }
  | { readonly kind: 'nondet' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'malloc' | 'calloc' | 'realloc' | 'free' | 'alloca' | 'aligned_alloc' }
  | { readonly kind: 'memcpy' | 'memmove' | 'memset' }
  /** For the bundled library only: the range is readable or writable; the ranges of a copy did not overlap. */
  | { readonly kind: 'check-read' | 'check-write' | 'check-apart' }
  | { readonly kind: 'expect' }
  | { readonly kind: 'clz' | 'ctz' | 'popcount' | 'parity' | 'ffs' | 'clrsb' | 'bswap' };

const byName: Readonly<Record<string, Special['kind']>> = {
  __provest_assert: 'assert-with-text',
  __provest_requires: 'requires',
  __provest_ensures: 'ensures',
  __provest_claim: 'claim',
  __provest_bytes_from: 'bytes-from',
  __provest_list_ends: 'list-ends',
  __provest_list_has: 'list-has',
  __provest_list_nodes: 'list-nodes',
  __provest_list_all: 'list-all',
  assert: 'assert',
  __VERIFIER_assert: 'assert',
  __CPROVER_assert: 'assert',
  __ESBMC_assert: 'assert',
  sassert: 'assert',
  __CPROVER_precondition: 'assert',
  __CPROVER_postcondition: 'assert',
  __VERIFIER_assert_not: 'assert-not',
  __VERIFIER_assert_if: 'assert-if',
  sea_assert_if: 'assert-if',
  __VERIFIER_error: 'error',
  reach_error: 'error',
  __assert_fail: 'error',
  __VERIFIER_fail: 'error',
  error: 'error',
  assume: 'assume',
  __VERIFIER_assume: 'assume',
  __CPROVER_assume: 'assume',
  __ESBMC_assume: 'assume',
  __builtin_assume: 'assume',
  __SEA_assume: 'assume',
  nondet: 'nondet',
  __VERIFIER_atomic_begin: 'nothing',
  __VERIFIER_atomic_end: 'nothing',
  __CPROVER_atomic_begin: 'nothing',
  __CPROVER_atomic_end: 'nothing',
  __ESBMC_atomic_begin: 'nothing',
  __ESBMC_atomic_end: 'nothing',
  __CPROVER_input: 'nothing',
  __CPROVER_output: 'nothing',
  __CPROVER_fence: 'nothing',
  __CPROVER_cover: 'nothing',
  exit: 'exit',
  _Exit: 'exit',
  _exit: 'exit',
  quick_exit: 'exit',
  abort: 'abort',
  __builtin_trap: 'abort',
  __builtin_unreachable: 'unreachable',
  malloc: 'malloc',
  calloc: 'calloc',
  realloc: 'realloc',
  free: 'free',
  alloca: 'alloca',
  aligned_alloc: 'aligned_alloc',
  memcpy: 'memcpy',
  memmove: 'memmove',
  memset: 'memset',
  __provest_check_read: 'check-read',
  __provest_check_write: 'check-write',
  __provest_check_apart: 'check-apart',
  __builtin_expect: 'expect',
};
const bitCounting = /^__builtin_(clz|ctz|popcount|parity|ffs|clrsb)l{0,2}$/;

/**
 * `name` is declared with `type` and not defined. `idioms` enables the meaning of `unknown` and `nd` in verification
 * papers.
 */
export function specialFunction(name: string, type: FunctionType, idioms = false): Special | undefined {
  if (name === 'error' && (type.result.kind !== 'void' || type.parameters.length > 0 || type.variadic))
    return undefined;
  if ((name === 'assume' || name === 'assert' || name === 'sassert') && (type.parameters.length > 1 || type.variadic))
    return undefined;
  const bits = bitCounting.exec(name);
  if (bits) return { kind: bits[1] as 'clz' };
  if (/^__builtin_bswap(16|32|64)$/.test(name)) return { kind: 'bswap' };
  if (isNondet(name, type, idioms)) return { kind: 'nondet' };
  const plain =
    /^__builtin_(malloc|calloc|realloc|free|alloca|memcpy|memmove|memset|abort|exit)$/.exec(name)?.[1] ?? name;
  const kind = Object.hasOwn(byName, plain) ? byName[plain] : undefined;
  if (kind === 'nondet' && type.result.kind === 'void') return undefined;
  return kind === undefined ? undefined : ({ kind } as Special);
}

/** Among `idioms`, `nd()`, `nd_int()` and `unknown()` are inputs if they take no argument. */
function isNondet(name: string, type: FunctionType, idioms: boolean): boolean {
  if (type.result.kind === 'void') return false;
  return (
    /^((__VERIFIER_|__CPROVER_|__ESBMC_|__SMACK_|__provest_)?nondet_|(__VERIFIER_nondet|__SMACK_nondet)$|sea_nd_)/.test(
      name,
    ) ||
    (idioms && /^(nd|unknown)(_\w+)?$/.test(name) && type.parameters.length === 0 && !type.variadic)
  );
}

/** A program's own definition of these runs after a failing check. */
export const marksError = (name: string): boolean => name === 'reach_error' || name === '__VERIFIER_error';

/** Functions whose effect cannot be represented by a result value. */
export function unsupportedFunction(name: string): string | undefined {
  if (/^pthread_create$|^thrd_create$|^v?fork$/.test(name)) return 'threads and processes are not modelled';
  if (/^__(sync|atomic)_/.test(name)) return 'atomic built-in functions are not modelled';
  // Names reserved by verifiers. Such a function states a property that no value can represent.
  const verifier = /^__(CPROVER|ESBMC|SMACK|VERIFIER)_/.exec(name)?.[1];
  if (verifier !== undefined)
    return verifier === 'VERIFIER'
      ? 'verifiers give it a meaning that is not known here'
      : `it means something to ${verifier === 'CPROVER' ? 'CBMC' : verifier} that is not modelled`;
  return undefined;
}
