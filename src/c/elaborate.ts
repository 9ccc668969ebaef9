/**
 * Elaboration: from the syntax tree of one translation unit to its typed tree. Names are resolved, every conversion,
 * promotion and lvalue-to-rvalue step becomes a node, constants are computed, C11's constraints are checked. Errors go
 * to the log; the unit must not be used when there are any.
 */
import type { DiagnosticLog } from './diagnostics/diagnosticLog';
import { ElaborationContext } from './elaborate/context';
import { tooDeep } from './elaborate/depth';
import { externalDeclaration } from './elaborate/declarations/declarations';
import { completeTentative } from './elaborate/declarations/variables';
import type { SyntaxUnit } from './syntax';
import { targetOf } from './target';
import type { TranslationUnit } from './tree';
import type { CType, DataModel, Standard } from './types';

export function elaborate(
  syntax: SyntaxUnit,
  path: string,
  dataModel: DataModel,
  log: DiagnosticLog,
  { idioms = false, standard = 'c11' }: { readonly idioms?: boolean | undefined; readonly standard?: Standard } = {},
): TranslationUnit {
  const deep = new Map(syntax.declarations.map((declaration) => [declaration, tooDeep(declaration)]));
  const complete = syntax.complete && [...deep.values()].every((span) => span === undefined);
  const ctx = new ElaborationContext(targetOf(dataModel), log, !complete, idioms, standard);
  for (const declaration of syntax.declarations) {
    const span = deep.get(declaration);
    if (span)
      log.error('nested too deep', span, { hint: "Split the expression, or the chain of operators or of 'else if'." });
    else externalDeclaration(ctx, declaration);
  }
  completeTentative(ctx);
  return {
    path,
    dataModel,
    variables: ctx.variables,
    functions: ctx.functions,
    typedefs: ctx.typedefs,
    tags: fileTags(ctx),
    enumConstants: ctx.enumConstants,
    restricted: ctx.restricted,
    assemblerNames: ctx.assemblerNames,
    aliases: ctx.aliases,
    guarantees: ctx.guarantees,
  };
}

function fileTags(ctx: ElaborationContext): ReadonlyMap<string, CType> {
  const tags = new Map<string, CType>();
  for (const [name, tag] of ctx.fileScope.tags) {
    if (tag.kind === 'record') tags.set(`${tag.type.record.keyword} ${name}`, tag.type);
    else if (tag.kind === 'enum') tags.set(`enum ${name}`, tag.type);
  }
  return tags;
}
