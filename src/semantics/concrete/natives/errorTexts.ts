/**
 * The texts of error numbers, for natives that print them. They stand in the library's `strerror`, and nowhere else.
 */
import { bundledText } from '../../../c/bundled';

let texts: readonly (string | undefined)[] | undefined;

/** As `strerror`. */
export function errorText(number: number): string {
  texts ??= textsOf(bundledText('<provest>/string/strerror.c')!);
  return texts[number] ?? `Unknown error ${number}`;
}

/** The elements of the table, which are literals without escapes or `NULL`. */
function textsOf(unit: string): (string | undefined)[] {
  const [, table] = /messages\[\] = \{([^}]*)\}/.exec(unit)!;
  return [...table!.matchAll(/"([^"\\]*)"|NULL/g)].map(([, text]) => text);
}
