import type { Config } from 'jest';

const config: Config = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/chooseSeed.ts',
  setupFiles: ['<rootDir>/test/propertySeed.ts'],
  transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  /** Half of the work is done by child processes (solvers, compilers, Jest itself), and machines may be busy. */
  testTimeout: 180_000,
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/longestFirst.js',
  /** Looking these up in Jest's sandbox takes longer than the work done with them. */
  sandboxInjectedGlobals: ['Array', 'BigInt', 'Map', 'Math', 'Number', 'Object', 'Set', 'String'],
};

export default config;
