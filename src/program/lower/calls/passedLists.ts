/**
 * Lists of variable arguments that a call passes on (C11 7.16p3, 7.21.6.8p2): the list of the caller is indeterminate
 * if the called function took an argument from it, and may only be ended. Whether the caller's list moves is up to the
 * ABI. Such a list leads to an entry that is none, so every `va_arg` fails. A pointer to the list shares it with the
 * called function.
 */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import type { CType } from '../../../c/types';
import { conditional, equal, isConstant, isNonNull, load, read } from '../../build';
import { pointer, type Expression, type Variable } from '../../expression';
import { branch, sourceText, type FunctionLowering } from '../context';
import { checkAccess, moved, pointerAddress, pointerOf, trustedAddress, type LvalueAddress } from '../objects/address';
import { scalarBytes } from '../objects/layout';
import { advanced, nextOffset, setNext } from './variadic';

interface Watched {
  readonly list: Expression;
  /** Address of the member that holds the next entry's address. */
  readonly address: LvalueAddress;
  readonly before: Variable;
}

/**
 * Notes where the lists among the arguments are, before the call. Returns what is to be done after it. `values` are
 * those of the trees.
 */
export function watchLists(
  f: FunctionLowering,
  trees: readonly Tree[],
  values: readonly Expression[],
  span: Span,
): () => void {
  const watched = trees.flatMap((tree, i): Watched[] => {
    if (!isList(tree.type)) return [];
    const list = f.nameValue(values[i]!, 'list', span);
    const start = list.kind === 'address' ? trustedAddress(list) : pointerAddress(list, sourceText(tree.span));
    const address = moved(start, nextOffset(tree.type));
    const before = f.temporary(pointer, 'argument');
    whereNonNull(f, list, span, () => {
      checkAccess(f, address, scalarBytes(pointer, f.model), 'read', span);
      f.assign(before, load(pointer, pointerOf(address)), span);
    });
    return [{ list, address, before }];
  });
  return () => {
    for (const { list, address, before } of watched)
      whereNonNull(f, list, span, () => {
        const isSame = equal(load(pointer, pointerOf(address)), read(before));
        setNext(f, address, conditional(isSame, read(before), advanced(f, span)), span);
      });
  };
}

function whereNonNull(f: FunctionLowering, list: Expression, span: Span, act: () => void): void {
  const condition = isNonNull(list);
  if (isConstant(condition, 1)) return act();
  const [there, after] = [f.draft.location(span), f.draft.location(span)];
  branch(f, condition, there, after, span);
  f.draft.startAt(there);
  act();
  f.draft.goTo(after, span);
  f.draft.startAt(after);
}

/** A `va_list`, which is an array of one record, as an argument. */
const isList = (type: CType): boolean =>
  type.kind === 'pointer' && type.to.kind === 'record' && type.to.record.tag === '__va_list_tag';
