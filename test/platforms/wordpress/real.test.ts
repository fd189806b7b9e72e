import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { createWordPress } from '../../../src/platforms/wordpress/client.ts';
import { makeWordPressAdapter } from '../../../src/platforms/wordpress/publish.ts';
import { keptStages } from '../../services/ai/kept-stages.ts';
import { article } from './desk.ts';

/*
 * The same against a real WordPress: give its address, a login and an application password. On plain HTTP the site
 * must call itself local (WP_ENVIRONMENT_TYPE), or it gives out no application passwords. The post is deleted again;
 * pictures, rubric and tags stay.
 */
const { WORDPRESS_URL: url = '', WORDPRESS_LOGIN: login = '', WORDPRESS_APP_PASSWORD = '' } = process.env;

describe.skipIf(url === '')('a real WordPress', () => {
  it('takes an article with four pictures, once, and lets it go again', { timeout: 120_000 }, async () => {
    const fetchGuarded = createGuardedFetch({ allowPrivate: true });
    const wordpress = createWordPress({ fetch: fetchGuarded, allowHttp: true });
    const adapter = makeWordPressAdapter({ wordpress, log: pino({ level: 'warn' }), lookAgainMs: 100 });
    const channel = { url, login, appPassword: WORDPRESS_APP_PASSWORD };
    const { restRoot, keepsJsonLd } = await adapter.validate(channel);
    const idempotencyKey = `real:${Date.now()}`;
    const publish = () => adapter.publish(channel, article, { idempotencyKey, stage: keptStages().run });

    const first = await publish();
    const again = await publish();
    if (first.outcome !== 'sent') throw new Error(first.message);
    expect(again).toMatchObject({ outcome: 'sent', providerMessageId: first.providerMessageId });

    const post = await wordpress.readPost({ restRoot, ...channel }, Number(first.providerMessageId));
    expect(post.content.match(/<img class="wp-image-\d+"/gu)).toHaveLength(4);
    expect(post.content).not.toContain('pictures.example');
    expect(post.content.includes('schema.org')).toBe(keepsJsonLd);
    const page = await fetch(first.url!);
    expect(await page.text()).toContain('Подпись 4');
    await adapter.remove(channel, first.providerMessageId);
    expect((await fetch(first.url!)).status).toBe(404);
  });
});
