import { describe, expect, it } from 'vitest';
import { AiFailed } from '../../../src/errors.ts';
import type { Variables } from '../../../src/services/ai/ask.ts';
import { parsePrompt } from '../../../src/services/ai/prompt-file.ts';
import { makeRenderPrompt } from '../../../src/services/ai/render-prompt.ts';

const written = (user: string, variables: string, system = 'Ты редактор.') => `
meta: { task_type: social_post, version: v12, model_tier: budget, max_tokens: 10 }
system: ${JSON.stringify(system)}
user: ${JSON.stringify(user)}
variables: ${variables}
`;

const about = '[{ name: topic, required: true }, { name: city, default: Казань }, { name: links }]';

const filled = (user: string, variables: Variables, declared = about) =>
  makeRenderPrompt({ activePrompt: async () => parsePrompt(written(user, declared), 'a test') })(
    'social_post',
    variables,
  );

describe('a prompt', () => {
  it('is named after its file', async () => {
    expect(await filled('<topic><< topic >></topic>', { topic: 'окна' })).toEqual({
      system: 'Ты редактор.',
      user: '<topic>окна</topic>',
      version: 'social_v12',
    });
  });

  it('takes what is usual for what it was not told, and prints no emptiness', async () => {
    const { user } = await filled('<< topic >>, << city >>, << links >>.', {
      topic: 'окна',
      city: ' ',
      links: null,
    });
    expect(user).toBe('окна, Казань, .');
  });

  it('leaves no line where an absent variable would have stood', async () => {
    const lines = 'до\n<% if links %>\n<links><< links >></links>\n<% endif %>\nпосле << topic >>';
    expect((await filled(lines, { topic: 'окна' })).user).toBe('до\nпосле окна');
    expect((await filled(lines, { topic: 'окна', links: 'a' })).user).toBe(
      'до\n<links>a</links>\nпосле окна',
    );
  });

  it.each([undefined, null, '', '   ', '<<>>', []])(
    'refuses to go without what it needs: %j',
    async (topic) => {
      const refused = filled('<< topic >>', { topic });
      await expect(refused).rejects.toThrow(AiFailed);
      await expect(refused).rejects.toMatchObject({
        reason: 'unusable',
        message: expect.stringContaining('topic'),
      });
    },
  );

  it('hides its comments', async () => {
    expect((await filled('a\n<# для нас: << тайна >> #>\nb << topic >>', { topic: 'в' })).user).toBe(
      'a\nb в',
    );
  });

  it('escapes nothing: a model reads words, not HTML', async () => {
    expect((await filled('<< topic >>', { topic: `"A" & 'B'` })).user).toBe(`"A" & 'B'`);
  });

  it('prints lists line by line and anything deeper as JSON', async () => {
    expect((await filled('<< topic >>', { topic: ['a', 'b', null, 3] })).user).toBe('a\nb\n3');
    const { user } = await filled('<< topic >>', { topic: [{ url: 'x', hint: null }, { url: 'y' }] });
    expect(JSON.parse(user)).toEqual([{ url: 'x' }, { url: 'y' }]);
    expect((await filled('<< topic >>', { topic: { a: [1], b: undefined } })).user).toBe('{"a":[1]}');
  });

  it('may walk a list itself', async () => {
    const each = '<% for link in links %>\n- << link.url >>\n<% endfor %>\n<< topic >>';
    const { user } = await filled(each, { topic: 'окна', links: [{ url: 'a' }, { url: 'b' }] });
    expect(user).toBe('- a\n- b\nокна');
  });

  it('reaches nothing but the variables it was given', async () => {
    const probes = '[<< topic.constructor >><< topic.__proto__ >><< links.constructor.name >>]';
    expect((await filled(probes, { topic: { a: 1 }, links: ['x'] })).user).toBe('[]');
  });

  it('sees no variable that it did not declare', async () => {
    const inherited = Object.assign(Object.create({ city: 'Чужой' }), { topic: 'окна', secret: 'тайна' });
    expect((await filled('<< topic >> << city >>', inherited)).user).toBe('окна Казань');
  });

  it('cannot keep the process busy', async () => {
    const endless = '<% for a in (1..100000000) %><< topic >><% endfor %>';
    await expect(filled(endless, { topic: 'x' })).rejects.toThrow(AiFailed);
  });
});

describe('a prompt that cannot be used says which it is and why', () => {
  const good = written('<< topic >>', about);
  it.each([
    ['no YAML', 'a: [', /^some\.yaml: /u],
    ['no object', '', /some\.yaml: .*expected object/u],
    ['no such task', good.replace('social_post', 'poem'), /some\.yaml: meta\.task_type/u],
    ['no version', good.replace('v12', 'latest'), /some\.yaml: meta\.version/u],
    ['a misspelt field', good.replace('max_tokens', 'max_token'), /some\.yaml: meta.*max_token/u],
    ['a template that does not end', written('<% if topic %>', about), /some\.yaml, user: /u],
    [
      'an undeclared variable',
      written('<< topic >> << topik >>', about),
      /some\.yaml: not among variables: topik/u,
    ],
    ['an undeclared variable in the system part', written('<< topic >>', about, '<< me >>'), /: me$/u],
    ['an include', written('<% include "/etc/passwd" %>', about), /user: tag "include" not found/u],
    ['an unknown filter', written('<< topic | shout >>', about), /user: undefined filter: shout/u],
    ['a variable called like a formatting tag', written('x', '[{ name: code }]'), /variables\.0\.name/u],
    ['a variable that could not be a tag', written('x', '[{ name: "Code 1" }]'), /variables\.0\.name/u],
  ])('%s', (_what, yaml, complaint) => {
    expect(() => parsePrompt(yaml, 'some.yaml')).toThrow(complaint);
  });
});
