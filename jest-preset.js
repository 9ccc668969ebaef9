/** `preset: 'provest'`: the matchers in every test file, the summary at the end, and C files that wake up watch mode. */
module.exports = {
  setupFilesAfterEnv: ['provest/jest'],
  reporters: ['default', 'provest/reporter'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'node', 'c', 'h'],
};
