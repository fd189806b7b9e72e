import { mergeConfig } from 'vitest/config';
import everything from './vitest.config.ts';

/**
 * For between two edits, in under 90 s (about 120 seconds of processor time on two cores): no crashes, browsers,
 * stand-ins, upgrades or worker processes, none of the suites that try thousands of cases or wait for leases, and every
 * store suite on one database only.
 */
export default mergeConfig(everything, {
  test: {
    exclude: [
      'test/{crash,e2e,sandbox}/**',
      'test/fuzz.test.ts',
      'test/engine/{damaged-state,any-button}.test.ts',
      'test/workers/**',
      'test/autopost/queue/**',
      'test/autopost/store/parallel.test.ts',
      'test/services/edge-cases.test.ts',
      'test/store/{schema-upgrades,database}.test.ts',
      'test/services/content/xss.test.ts',
      'test/services/payments/sequences.test.ts',
      'test/services/category/prices-file/price-round-trip.test.ts',
      'test/scripts/autopost-command.test.ts',
      'test/services/article/{publish,write,generate,regenerate}-article.test.ts',
      'test/services/article/{finish-publications,cancel-draft,expire-drafts}.test.ts',
      'test/services/posts/publish-draft.test.ts',
      'test/services/schedules/{embedded-schedules,schedules.contract}.test.ts',
      'test/platforms/wordpress/lost-answers.test.ts',
    ],
    env: { QUICK: '1' },
  },
});
