/** Variables that no file defines: the error, and which of them may have unknown contents instead. */
import { isBundled } from '../../c/bundled';
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import type { VariableSymbol } from '../../c/tree';
import type { CType } from '../../c/types';

/** `refusal`: the reason why its contents cannot be unknown, where that is allowed. */
export function undefinedVariable(name: string, refusal: string | undefined): Pick<Diagnostic, 'message' | 'hint'> {
  const [message, hint] = [
    `variable '${name}' is used but not defined`,
    'Add the file that defines it, or define it in a file of your own',
  ];
  return refusal === undefined
    ? { message, hint: `${hint}, or let it hold anything: externals: 'any' (--externals any).` }
    : { message: `${message}, and ${refusal}`, hint: `${hint}.` };
}

/** The reason why a variable of this complete type cannot have unknown contents. */
export function refusedElsewhere({ span, weak }: VariableSymbol, type: CType): string | undefined {
  if (isBundled(span.file.path)) return 'provest has no model of it';
  if (weak) return 'its declaration is weak, so that its address may be null';
  return refusedContents(type);
}

function refusedContents(type: CType): string | undefined {
  switch (type.kind) {
    case 'array':
      return type.length === undefined ? 'no declaration says how long it is' : refusedContents(type.of);
    case 'record':
      if (type.record.fields.length === 0) return 'no declaration says what is in it';
      for (const field of type.record.fields) {
        const refusal = refusedContents(field.type);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    case 'integer':
    case 'enum':
    case 'float':
      return undefined;
    case 'pointer':
      return 'it holds a pointer, which would have to lead to something known';
    default:
      return 'its type is not complete';
  }
}
