/**
 * What the front end and lowering may do with any text: accept it, or reject it with messages that have places.
 * Whatever else happens is a defect.
 */
import { CError, readCText, readLibraryUnit, type Diagnostic } from '../../../src/c';
import { lower } from '../../../src/program';

export type Acceptance =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly errors: readonly Diagnostic[] }
  | { readonly kind: 'defect'; readonly what: string };

export function accept(text: string, mostMs = 10_000): Acceptance {
  const started = performance.now();
  const acceptance = attempt(text);
  const took = performance.now() - started;
  return took > mostMs ? { kind: 'defect', what: `took ${Math.round(took)} ms` } : acceptance;
}

function attempt(text: string): Acceptance {
  try {
    const { units } = readCText(text, 'fuzz.c', { readFile: () => undefined });
    lower(units, { dataModel: 'lp64', externals: 'any', stubs: [], libraryUnit: (name) => readLibraryUnit(name) });
    return { kind: 'accepted' };
  } catch (error) {
    if (!(error instanceof CError))
      return { kind: 'defect', what: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const errors = error.diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return { kind: 'defect', what: 'rejected without an error' };
    const placeless = errors.find(({ span, message }) => !span && !/^and \d+ more errors?$/.test(message));
    if (placeless) return { kind: 'defect', what: `a message without a place: ${placeless.message}` };
    const outside = errors.find(
      ({ span }) => span && (span.start < 0 || span.start > span.end || span.end > span.file.text.length + 1),
    );
    return outside
      ? { kind: 'defect', what: `a place outside the text: ${outside.message}` }
      : { kind: 'rejected', errors };
  }
}
