/** A module's interface, read off its header. */
import { resolve } from 'node:path';
import { CError, type FrontEndOptions, readC, readCText, type TranslationUnit } from '../../c';
import type { ProgramOptions } from '../load';

/**
 * Names of functions that the header itself declares, without those of headers that it includes, in their order. Throws
 * `CError` if it can neither be read by itself nor behind the usual headers.
 */
export function declaredFunctions(
  header: string,
  { include, define, dataModel = 'lp64', standard = 'c11', systemHeaders, idioms = false }: ProgramOptions = {},
): readonly string[] {
  const options: FrontEndOptions = {
    dataModel,
    standard,
    idioms,
    ...(include && { include }),
    ...(define && { define }),
    ...(systemHeaders && { systemHeaders }),
  };
  const names = unitsOf(header, options).flatMap(({ functions }) =>
    functions.flatMap(({ name, linkage, span }) =>
      linkage === 'external' && resolve(span.file.path) === resolve(header) ? [name] : [],
    ),
  );
  if (names.length === 0)
    throw new CError([
      {
        severity: 'error',
        message: `${header} declares no function`,
        hint: 'Name the header that declares what clients call.',
      },
    ]);
  return names;
}

/** Includes before a header that leaves it to the files that include it to name its types. */
const usualIncludes = ['stddef', 'stdint', 'stdbool', 'stdio', 'stdarg', 'time'];

/** Alone, or else behind the usual headers; the errors are those of the header alone. */
function unitsOf(header: string, options: FrontEndOptions): readonly TranslationUnit[] {
  try {
    return readC([header], options).units;
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    const lines = [...usualIncludes.map((name) => `#include <${name}.h>`), `#include "${nameOf(header)}"`, ''];
    try {
      return readCText(lines.join('\n'), `${header.slice(0, -nameOf(header).length)}behind-usual-headers.c`, options)
        .units;
    } catch {
      throw error;
    }
  }
}

const nameOf = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
