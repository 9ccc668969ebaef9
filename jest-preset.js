/**
 * `preset: 'provest'`: the matchers in every test file, the summary at the end, and watch mode: C files and their
 * headers wake up the tests that load them, and three keys write what provest suggests.
 */
module.exports = {
  setupFilesAfterEnv: ['provest/jest'],
  reporters: ['default', 'provest/reporter'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'node', 'c', 'h'],
  dependencyExtractor: 'provest/dependencies',
  watchPathIgnorePatterns: ['<rootDir>/\\.provest/'],
  watchPlugins: ['provest/watch-tests', 'provest/watch-probes', 'provest/watch-specifications'],
  // With automock the package, and what it loads, stays what it is.
  unmockedModulePathPatterns: [__dirname.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')],
};
