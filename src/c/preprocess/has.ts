/**
 * Answers of `__has_attribute` and `__has_builtin`: 1 for what the front end takes, 0 otherwise and for all other
 * questions (`__has_feature`, …).
 */
import { builtInPrototype, libraryFunctionOf } from '../libraryNames';

const attributes: ReadonlySet<string> = new Set([
  'aligned',
  'packed',
  'noreturn',
  'unused',
  'used',
  'fallthrough',
  'const',
  'pure',
  'malloc',
  'alloc_size',
  'alloc_align',
  'nonnull',
  'returns_nonnull',
  'warn_unused_result',
  'format',
  'always_inline',
  'noinline',
  'deprecated',
  'visibility',
  'cold',
  'hot',
  'nonstring',
]);
/** Names with a meaning of their own; the others stand for functions. */
const builtIns: ReadonlySet<string> = new Set([
  '__builtin_expect',
  '__builtin_expect_with_probability',
  '__builtin_constant_p',
  '__builtin_choose_expr',
  '__builtin_object_size',
  '__builtin_assume_aligned',
  '__builtin_offsetof',
  '__builtin_types_compatible_p',
  '__builtin_va_start',
  '__builtin_va_arg',
  '__builtin_va_end',
  '__builtin_va_copy',
  '__builtin_huge_val',
  '__builtin_huge_valf',
  '__builtin_inf',
  '__builtin_inff',
  '__builtin_nan',
  '__builtin_nanf',
  '__builtin_isunordered',
  '__builtin_islessgreater',
  '__builtin_isnormal',
  '__builtin_isinf_sign',
  '__builtin_fpclassify',
]);

/** `operator` is one of `conditionOperators`. */
export function has(operator: string, operand: string): 0 | 1 {
  switch (operator) {
    case '__has_attribute':
      return attributes.has(operand.replace(/^__(.+)__$/, '$1')) ? 1 : 0;
    case '__has_builtin':
      return builtIns.has(operand) || isFunction(operand) ? 1 : 0;
    default:
      return 0;
  }
}

function isFunction(name: string): boolean {
  if (!name.startsWith('__builtin_')) return false;
  return builtInPrototype(name) !== undefined || libraryFunctionOf(name) !== undefined;
}
