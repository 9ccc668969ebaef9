/** As a user's project would have it, but that the name `provest` leads to what is built here. */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  moduleNameMapper: {
    '^provest$': '<rootDir>/../dist/plugin/index.js',
    '^provest/jest$': '<rootDir>/../dist/plugin/setup.js',
  },
  setupFilesAfterEnv: ['provest/jest'],
  reporters: ['default', '<rootDir>/../dist/plugin/reporter.js'],
};
