/** Options of the preprocessor. */
import type { DataModel } from '../types';
import type { SystemHeaders } from './headerSearch';

export interface PreprocessOptions {
  /** Folders, searched in this order; see `preprocess/headerSearch.ts`. */
  readonly include: readonly string[];
  /** `true` defines the macro as 1. A name may have parameters: `'TWICE(x)'`. */
  readonly define: Readonly<Record<string, string | number | true>>;
  readonly dataModel: DataModel;
  /** In place of the bundled headers. */
  readonly systemHeaders?: SystemHeaders | undefined;
  /** Undefined when there is no such file. */
  readFile(path: string): string | undefined;
}
