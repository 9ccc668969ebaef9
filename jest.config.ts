import type { Config } from 'jest';

const config: Config = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/chooseSeed.ts',
  setupFiles: ['<rootDir>/test/propertySeed.ts'],
  transform: { '\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] },
  testTimeout: 60_000,
};

export default config;
