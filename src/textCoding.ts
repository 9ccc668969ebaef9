/** UTF-8, also where a test environment (jsdom) hides Node's globals. */
export const { TextDecoder, TextEncoder } = process.getBuiltinModule('node:util');
