import { mergeConfig } from 'vitest/config';
import everything from './vitest.config.ts';

/** For between two edits: no crashes, browsers, stand-ins or upgrades, and every store suite on one database only. */
export default mergeConfig(everything, {
  test: {
    exclude: [
      'test/{crash,e2e,sandbox}/**',
      'test/fuzz.test.ts',
      'test/store/{schema-upgrades,database}.test.ts',
      'test/services/content/xss.test.ts',
      'test/scripts/autopost-command.test.ts',
      'test/services/article/{publish,write,generate,regenerate}-article.test.ts',
    ],
    env: { QUICK: '1' },
  },
});
