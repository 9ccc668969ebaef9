/** A module's interface, read off its header. */
import { CError, readC } from '../../c';
import type { ProgramOptions } from '../load';

/**
 * Names of functions that the header itself declares, without those of headers that it includes, in their order. Throws
 * `CError` if it cannot be read by itself.
 */
export function declaredFunctions(
  header: string,
  { include, define, dataModel = 'lp64', standard = 'c11', systemHeaders, idioms = false }: ProgramOptions = {},
): readonly string[] {
  const { units } = readC([header], {
    dataModel,
    standard,
    idioms,
    ...(include && { include }),
    ...(define && { define }),
    ...(systemHeaders && { systemHeaders }),
  });
  const names = units.flatMap(({ functions }) =>
    functions.flatMap(({ name, linkage, span }) => (linkage === 'external' && span.file.path === header ? [name] : [])),
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
