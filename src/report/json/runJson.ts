/* Generated from run.schema.json by scripts/build-schema.js; change the schema and run `npm run schema`. */
import type {AdequacyJson, VerdictJson} from './verdictJson';

/**
 * The file of the reporter's option `json` (.provest/verdicts.json), and `provest merge --json`. Any change of its
 * shape raises schemaVersion.
 */
export interface RunJson {
  /**
   * Version of this schema.
   */
  schemaVersion: 1;
  tool: {
    name: 'provest';
    version: string;
  };
  /**
   * Every verdict that a test asked for, by module, test file and line.
   */
  verdicts: {
    module: string;
    /**
     * Relative to the working directory, like all files here.
     */
    testFile: string;
    /**
     * Line of `loadC` in the test file.
     */
    line: number;
    verdict: VerdictJson;
  }[];
  /**
   * Adequacy of the tests of all files together for each module; null when it was not asked for, or only a part of the
   * tests ran.
   */
  adequacy: (MeasuredJson | UnmeasuredJson)[] | null;
}
export interface MeasuredJson {
  module: string;
  testFiles: string[];
  covered: number;
  total: number;
  ratio: number;
  /**
   * `ratio` as it is shown.
   */
  percent: string;
  missing: AdequacyJson['missing'];
}
export interface UnmeasuredJson {
  module: string;
  testFiles: string[];
  why: string;
}
