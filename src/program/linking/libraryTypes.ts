/**
 * Declarations of library functions by hand: which of them mean the library's function, and which one of the program.
 */
import { isBundled } from '../../c/bundled';
import { isInteger } from '../../c/target';
import type { FunctionSymbol } from '../../c/tree';
import { compatible, holds } from '../lower/compatible';
import type { CType, FunctionType } from '../../c/types';
import type { FunctionEntry } from './definitions';

/**
 * ISO C reserves its names for the library. A program may use those of POSIX and BSD otherwise (C11 7.1.3): a
 * declaration with another number of parameters means the program's own function. For words that many modules use
 * (`warn`, `err`, `basename`), so does any other type, and for those whose answers are inputs (`send`, `connect`) any
 * declaration but that of provest's header.
 */
export function isTheProgramsOwn({ type, span }: FunctionSymbol, { symbol, unit }: FunctionEntry): boolean {
  if (/\/posix\/[^/]*$/.test(unit.path)) return !isBundled(span.file.path);
  if (type.unprototyped) return false;
  if (/\/(unistd|fcntl|sys|strings)\/[^/]*$/.test(unit.path))
    return symbol.type.parameters.length !== type.parameters.length;
  return (
    /\/(getopt|err|libgen|fnmatch|netinet|sched)\/[^/]*$/.test(unit.path) &&
    !compatible(symbol.type, type) &&
    !similar(symbol.type, type)
  );
}

/**
 * Old code declares library functions by hand (`int strlen(char *)`), and other headers name the library's structures
 * differently. If each type agrees up to pointer targets, integer widths or an unwanted result, calls convert and mean
 * the library's function. Every compiler does the same.
 */
export function similar(library: FunctionType, declared: FunctionType): boolean {
  return (
    (declared.result.kind === 'void' || alike(library.result, declared.result)) &&
    library.variadic === declared.variadic &&
    (declared.unprototyped ||
      (library.parameters.length === declared.parameters.length &&
        library.parameters.every(({ type }, i) => alike(type, declared.parameters[i]!.type))))
  );
}

export function alike(library: CType, declared: CType): boolean {
  if (library.kind === 'pointer' && declared.kind === 'pointer')
    return isFile(library.to) || pointsAlike(library.to, declared.to);
  if (library.kind === 'record' && declared.kind === 'record')
    return library.record.sizeBytes === declared.record.sizeBytes && holds(declared.record, library.record);
  return (isInteger(library) && isInteger(declared)) || compatible(library, declared);
}

/** Structures that the library writes or reads must have the library's layout. */
function pointsAlike(library: CType, declared: CType): boolean {
  if (library.kind !== 'record' || declared.kind !== 'record' || !library.record.complete || !declared.record.complete)
    return true;
  return holds(declared.record, library.record);
}

/** A program only passes on the pointer that the library returned. */
const isFile = (type: CType): boolean => type.kind === 'record' && type.record.tag === 'provest_file';
