import { beforeEach, expect, it } from 'vitest';
import { makePromptVersions } from '../../src/store/prompt-versions.ts';
import { forEachDatabase } from '../support/stores.ts';

const text = (task: string, version: string, yaml = `${task} ${version}`) => ({ task, version, yaml });

forEachDatabase((sql, kind) => {
  const versions = () => makePromptVersions(sql());
  const activeOnes = async () => {
    const rows = await sql()<{ name: string }[]>`
      select task_type || ' ' || version as name from prompt_versions where is_active order by name`;
    return rows.map(({ name }) => name);
  };

  beforeEach(() => sql()`delete from prompt_versions`);

  it('puts a release of prompts in force, one per task', async () => {
    expect(await versions().sync([text('article', 'v7'), text('review', 'v1')])).toEqual([
      'article',
      'review',
    ]);
    expect(await versions().active('article')).toEqual({ version: 'v7', yaml: 'article v7' });
    expect(await activeOnes()).toEqual(['article v7', 'review v1']);
  });

  it('does nothing the second time', async () => {
    await versions().sync([text('article', 'v7')]);
    const before = await sql()`select * from prompt_versions`;
    expect(await versions().sync([text('article', 'v7')])).toEqual([]);
    expect(await sql()`select * from prompt_versions`).toEqual(before);
  });

  it('replaces a text that was corrected without a new version', async () => {
    await versions().sync([text('article', 'v7'), text('review', 'v1')]);
    expect(await versions().sync([text('article', 'v7', 'corrected'), text('review', 'v1')])).toEqual([
      'article',
    ]);
    expect(await versions().active('article')).toEqual({ version: 'v7', yaml: 'corrected' });
  });

  it('prefers the tenth version to the ninth, and keeps the old ones', async () => {
    await versions().sync([text('article', 'v10')]);
    await versions().sync([text('article', 'v9')]);
    expect(await activeOnes()).toEqual(['article v10']);
    expect(await sql()`select 1 from prompt_versions`).toHaveLength(2);
  });

  it('leaves a newer version in force that was added by hand', async () => {
    await versions().sync([text('article', 'v7')]);
    await sql()`insert into prompt_versions (task_type, version, prompt_yaml) values ('article', 'v8', 'by hand')`;
    await versions().sync([text('article', 'v7')]);
    expect(await versions().active('article')).toEqual({ version: 'v8', yaml: 'by hand' });
  });

  it('ends a state in which several versions or none are active', async () => {
    await sql()`insert into prompt_versions (task_type, version, prompt_yaml, is_active) values
      ('article', 'v6', 'a', true), ('article', 'v7', 'b', true), ('review', 'v1', 'c', null)`;
    expect(await versions().sync([])).toEqual(['article', 'review']);
    expect(await activeOnes()).toEqual(['article v7', 'review v1']);
  });

  it('knows when there is nothing', async () => {
    expect(await versions().active('article')).toBeNull();
  });

  it('changes all or nothing', async () => {
    await versions().sync([text('article', 'v7')]);
    await expect(versions().sync([text('article', 'v8'), text('x'.repeat(51), 'v1')])).rejects.toThrow();
    expect(await activeOnes()).toEqual(['article v7']);
    expect(await sql()`select 1 from prompt_versions`).toHaveLength(1);
  });

  it.runIf(kind === 'PostgreSQL')('lets instances that start together agree', async () => {
    const release = ['article', 'review', 'image'].map((task) => text(task, 'v2'));
    const starts = Array.from({ length: 8 }, (_, i) => (i % 2 ? release : release.toReversed()));
    const changed = await Promise.all(starts.map((texts) => versions().sync(texts)));
    expect(changed.filter((tasks) => tasks.length > 0)).toEqual([['article', 'image', 'review']]);
    expect(await activeOnes()).toEqual(['article v2', 'image v2', 'review v2']);
  });
});
