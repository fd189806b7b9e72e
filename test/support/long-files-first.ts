import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Short to read and long to run. Without durations of an earlier run, as in CI, files start by their size: these would
 * come last, and the other workers would wait for them.
 */
const LONG = [
  'e2e/played-walk.test.ts',
  'crash/engine-storm.test.ts',
  'crash/article-crash.test.ts',
  'crash/wizard-crash.test.ts',
  'crash/pipeline-storm.test.ts',
  'crash/autopost-process.test.ts',
  'crash/schedule-outage.test.ts',
  'crash/autopost-storm.test.ts',
  'crash/autopost-outage.test.ts',
  'every-flow.test.ts',
  'crash/every-busy-state.test.ts',
  'e2e/sandbox-page.test.ts',
  'e2e/first-article.test.ts',
  'crash/outage.test.ts',
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
    const sorted = await super.sort(files);
    const long = sorted.filter((file) => place(file) >= 0).sort((one, other) => place(one) - place(other));
    return [...long, ...sorted.filter((file) => place(file) < 0)];
  }
}
