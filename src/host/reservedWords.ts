/** What no variable of a generated test may be called: words of JavaScript, and names that a test file has already. */
export const reservedWords: ReadonlySet<string> = new Set([
  'arguments', 'await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default', 'delete', 'do', 'else', 'enum', 'eval', 'export', 'extends', 'false', 'finally', 'for', 'function',
  'if', 'implements', 'import', 'in', 'instanceof', 'interface', 'let', 'new', 'null', 'of', 'package', 'private', 'protected', 'public', 'return', 'static', 'super', 'switch', 'this', 'throw', 'true',
  'try', 'typeof', 'undefined', 'var', 'void', 'while', 'with', 'yield',
  'module', 'require', 'exports', 'global', 'process', 'loadC', 'verdictOf',
  'test', 'it', 'describe', 'expect', 'jest', 'vi', 'beforeEach', 'beforeAll', 'afterEach', 'afterAll',
]);
