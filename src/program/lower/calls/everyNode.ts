/** `PROVEST_EVERY(l, n, condition)`: a condition on all nodes of a list, which is computed for each node in turn. */
import type { TypedExpression as Tree } from '../../../c/tree';
import { convert, listQuestion, truth, yes } from '../../build';
import { int32, type Expression, type Scalar, type Variable } from '../../expression';
import { variablesIn, walk } from '../../traverse';
import { plainValue } from '../condition';
import type { FunctionLowering } from '../context';
import { lowerValue } from '../value';

/** A call of `__provest_list_all(list, link, bytes, node, condition)`. */
export function everyNode(f: FunctionLowering, e: Extract<Tree, { kind: 'call' }>): Expression {
  const condition = e.arguments[4]!;
  const [list, link, bytes, node] = e.arguments.slice(0, 4).map((tree) => lowerValue(f, tree)) as [
    Expression,
    Expression,
    Expression,
    Expression,
  ];
  const refuse = (message: string): Expression => {
    f.reportUnsupported(message, condition.span);
    return yes;
  };
  if (node.kind !== 'read' || node.variable.scope !== 'local')
    return refuse('the address of a node is taken in the condition on all nodes of a list');
  const number = (value: Expression): number => (value.kind === 'integer' ? Number(value.value) : 0);
  const sizes = { linkBytes: number(link), nodeBytes: number(bytes) };
  const isMet = f.ofNode(node.variable, () => plainValue(f, condition));
  if (!isMet || !staysWithin(isMet, node.variable, sizes.nodeBytes, f.model === 'lp64' ? 8 : 4))
    return refuse(
      'a condition on all nodes of a list computes with members of the node, variables and constants: it calls ' +
        'nothing, follows no further pointer, and nothing in it can fail',
    );
  return convert(listQuestion('every', list, sizes, node, truth(isMet)), int32);
}

/** Only members of what the variable leads to are read, no address leaves it, and no other list is asked about. */
function staysWithin(condition: Expression, node: Variable, nodeBytes: number, pointerBytes: number): boolean {
  const bytesOf = (type: Scalar): number => (type.kind === 'pointer' ? pointerBytes : type.widthBits / 8);
  const isOfNode = (e: Expression): boolean => variablesIn(e).has(node);
  const placeOf = (address: Expression): number => {
    if (address.kind === 'read') return 0;
    const isPlace = address.kind === 'offset' && address.pointer.kind === 'read' && address.delta.kind === 'integer';
    return isPlace ? Number(address.delta.value) : -1;
  };
  const fits = (start: number, bytes: number): boolean => start >= 0 && start + bytes <= nodeBytes;
  let stays = true;
  walk(condition, (e) => {
    if (e.kind === 'list' || e.kind === 'all-reached') stays = false;
    if (e.kind === 'offset' && isOfNode(e) && !fits(placeOf(e), 0)) stays = false;
    if (e.kind === 'load' && isOfNode(e.address) && !fits(placeOf(e.address), bytesOf(e.type))) stays = false;
  });
  return stays;
}
