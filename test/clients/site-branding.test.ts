import { describe, expect, it } from 'vitest';
import { scrapedBranding, toBranding } from '../../src/clients/site-branding.ts';

const read = (scraped: unknown) => toBranding(scrapedBranding.parse(scraped));

describe('the look of a site', () => {
  it('is taken as the site has it', () => {
    const colors = {
      primary: '#1F3A5F',
      secondary: '#4d648d',
      accent: '#e07a5f',
      background: '#fdfcf7',
      textPrimary: '#22223b',
    };
    expect(
      read({
        colors,
        typography: { fontFamilies: { primary: '"PT Sans", sans-serif', heading: 'Montserrat' } },
        images: { logo: 'https://a.example/logo.svg' },
      }),
    ).toEqual({
      colors: {
        background: '#fdfcf7',
        text: '#22223b',
        accent: '#e07a5f',
        primary: '#1f3a5f',
        secondary: '#4d648d',
      },
      fonts: { heading: 'Montserrat', body: 'PT Sans' },
      logoUrl: 'https://a.example/logo.svg',
    });
  });

  it('is filled up with neutral colours', () => {
    expect(read({ logo: 'https://a.example/logo.png' })?.colors).toEqual({
      background: '#ffffff',
      text: '#333333',
      accent: '#0066cc',
      primary: '#0066cc',
      secondary: '#333333',
    });
  });

  it.each([
    ['#abc', '#aabbcc'],
    ['#AABBCCDD', '#aabbcc'],
    ['red', '#0066cc'],
    ['rgb(1, 2, 3)', '#0066cc'],
    ['#12345', '#0066cc'],
    ['#fff;background:url(//evil.example)', '#0066cc'],
    [42, '#0066cc'],
  ])('reads the colour %j as %s', (accent, expected) => {
    expect(read({ colors: { accent, background: '#000000' } })?.colors.accent).toBe(expected);
  });

  it.each(['data:image/png;base64,AAAA', 'javascript:alert(1)', '/logo.png'])('has no logo at %s', (logo) => {
    expect(read({ logo, colors: { accent: '#123456' } })?.logoUrl).toBeNull();
  });

  it('takes no style sheet for the name of a font', () => {
    expect(
      read({ colors: { accent: '#123456' }, fonts: [{ family: 'x; } body { display: none' }] })?.fonts,
    ).toEqual({
      heading: null,
      body: null,
    });
  });

  it.each([{}, { colors: {} }, { colors: { accent: 'red' }, fonts: [], logo: '' }, { colors: 'none' }])(
    'is unknown when the page tells %j',
    (scraped) => expect(read(scraped)).toBeNull(),
  );
});
