import { expect, it } from 'vitest';
import { firstPictureIn, tidyHtml } from '../../../src/autopost/pull/tidy-html.ts';

it.each([
  ['leaves what is seen', 'Цена <b>5 000</b> <a href="x">тут</a>', 'Цена <b>5 000</b> <a href="x">тут</a>'],
  ['drops comments and programs', 'а<!-- <b> -->б<script>x < y</script >в<style>p{}</style>', 'абв'],
  ['writes out a sign that begins no tag', '2 < 3 <img <b>да</b>', '2 &lt; 3 &lt;img <b>да</b>'],
  ['does not lose the text behind what never ends', 'а <!-- б <script', 'а &lt;!-- б &lt;script'],
  ['drops the type of the document', '<!DOCTYPE html><p>а</p>', '<p>а</p>'],
])('%s', (_, html, tidy) => expect(tidyHtml(html)).toBe(tidy));

it('finds the first picture that is seen', () => {
  const html = '<img width="1" src="https://c.example/p.gif"><p><img alt="a" src="/b.png"><img src="/c.png">';
  expect(firstPictureIn(html)).toBe('/b.png');
  expect(firstPictureIn('<p>нет</p>')).toBeUndefined();
});
