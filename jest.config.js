import { availableParallelism } from 'node:os';

// eslint-disable-next-line no-restricted-syntax -- jest asks for it
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/tests', '<rootDir>/examples'],
  watchman: false,
  reporters: ['<rootDir>/tests/helpers/reporter.js', 'summary'],
  testSequencer: '<rootDir>/tests/helpers/sequencer.js',
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  resolver: '<rootDir>/tests/helpers/resolver.js',
  globalSetup: '<rootDir>/tests/helpers/global-setup.js',
  // One more than there are cores: some tests wait for a while.
  maxWorkers: availableParallelism() + 1,
  // A worker that has run many files is slow to collect its garbage, which some tests wait for.
  workerIdleMemoryLimit: '500MB',
  testTimeout: 180_000,
  setupFilesAfterEnv: ['<rootDir>/tests/helpers/setup.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};
