/** Functions of other folders that the editor is given. */

/** A test file, and the variable of it that holds the module. */
export interface TestPlace {
  readonly path: string;
  readonly variable: string;
}

/** Functions of other folders, which would be slow to load or know more than an editor should. */
export interface EditorBackend {
  readonly version: string;
  /** The program of the command `provest`. */
  readonly command: string;
  /** Texts of test files with something added; see `plugin/reporter`. `named`: the module's name in the test. */
  withTest(text: string, test: string, target: TestPlace & { readonly named: string }): string;
  withProbe(text: string, probe: string, target: TestPlace): string;
  /** Undefined when a person has to do it. */
  withOption(text: string, code: string, target: TestPlace): string | undefined;
  /** The variable that generated tests of a file use where no test has named one. */
  moduleVariable(files: readonly string[]): string;
}
