import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './support/long-files-first.ts';
import { patience, SUITES_AT_ONCE } from './support/patience.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    // Processes, not threads: some suites start children and one kills them.
    pool: 'forks',
    // One process runs many files and loads the product once: loading it for each took a fifth of the whole run.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    maxWorkers: SUITES_AT_ONCE,
    // An embedded database takes a second or two to start, and more while every core is busy.
    testTimeout: patience(90_000),
    hookTimeout: patience(120_000),
    // Long enough for a busy machine; whatever comes, comes sooner as a rule.
    expect: { poll: { timeout: patience(15_000) } },
  },
});
