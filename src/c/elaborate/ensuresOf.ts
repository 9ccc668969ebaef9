/**
 * `PROVEST_ENSURES_OF(f, condition);`: a guarantee of a function without a body. The condition speaks of the result, of
 * the arguments as they were passed, and of memory and variables as the call leaves them. It is read in the scope of
 * the file, behind the declaration of the function.
 */
import type { EnsuresOf } from '../syntax';
import { isAggregate } from '../target';
import { resultName, type VariableSymbol } from '../tree';
import type { CType } from '../types';
import { changeIn } from './calls';
import type { ElaborationContext } from './context';
import { condition } from './expressions';

/** The name of the file that holds guarantees from options. */
export const ensuresFile = '<ensures>';

export function ensuresOf(ctx: ElaborationContext, { function: { name, span }, condition: said }: EnsuresOf): void {
  const entry = ctx.fileScope.lookup(name);
  const isOption = span.file.path.endsWith(ensuresFile);
  // Options are read in every file; the one that declares the function understands them.
  if (!entry && isOption) return;
  if (entry?.kind !== 'function')
    return ctx.log.fail(`'${name}' is not declared as a function before its guarantee`, span);
  const { symbol } = entry;
  const change = changeIn(said);
  if (change)
    ctx.log.fail('a guarantee changes nothing: it is there for provest alone', change.span, {
      hint: "Compare with '=='.",
    });
  const variable = (named: string, type: CType): VariableSymbol => ({
    kind: 'variable',
    name: named,
    type,
    span: symbol.span,
    storage: 'automatic',
    initializer: undefined,
    owner: symbol.name,
    addressTaken: false,
  });
  const { parameters: types, result: resultType } = symbol.type;
  const parameters = types.map((parameter, i) => variable(parameter.name ?? `argument${i + 1}`, parameter.type));
  const result = resultType.kind === 'void' || isAggregate(resultType) ? undefined : variable(resultName, resultType);
  const outer = ctx.function;
  ctx.function = {
    symbol,
    labels: new Map(),
    gotos: [],
    undeclared: new Set(),
    missesSwitch: false,
    labelAddresses: [],
  };
  try {
    const read = ctx.inScope('prototype', () =>
      ctx.inContract(() => {
        if (result)
          for (const known of ['result', resultName])
            ctx.scope.names.set(known, { kind: 'variable', symbol: result, span });
        for (const parameter of parameters)
          if (!isAggregate(parameter.type))
            ctx.scope.names.set(parameter.name, { kind: 'variable', symbol: parameter, span });
        return condition(ctx, said);
      }),
    );
    if ([...parameters, ...(result ? [result] : [])].some(({ addressTaken }) => addressTaken))
      ctx.log.fail('a guarantee speaks of values: the arguments and the result have no address in it', said.span);
    ctx.guarantees.push({ function: symbol, parameters, result, condition: read, span: said.span });
  } finally {
    ctx.function = outer;
  }
}
