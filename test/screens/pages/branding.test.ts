import { expect, it } from 'vitest';
import { brandingScreen } from '../../../src/screens/pages/branding.ts';

const nothingKnown = {
  projectId: 1,
  projectName: 'Окна',
  timezone: 'Europe/Moscow',
  branding: null,
  faint: [],
  picture: null,
};

it.each([
  ['to name the site, where none is known', null, 'Указать сайт'],
  ['to read it, where it has not been read', 'https://okna.example', 'Прочитать сайт'],
])('the page of colours without colours offers %s', (_, url, label) => {
  const [[first] = []] = brandingScreen({ ...nothingKnown, url }).keyboard;
  expect(first).toMatchObject({ label });
});
