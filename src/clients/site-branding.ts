import { z } from 'zod';

/** What a site looks like, as far as an article can follow it. Colours are `#rrggbb`. */
export type Branding = z.infer<typeof branding>;
const hex = z.string();
export const branding = z.object({
  colors: z.object({ background: hex, text: hex, accent: hex, primary: hex, secondary: hex }),
  fonts: z.object({ heading: z.string().nullable(), body: z.string().nullable() }),
  logoUrl: z.string().nullable(),
});

const text = z.string().nullish().catch(null);

/** The `branding` format of a scrape; every part of it may be missing. */
export const scrapedBranding = z.object({
  logo: text,
  colors: z.record(z.string(), z.unknown()).nullish().catch(null),
  fonts: z
    .array(z.object({ family: text, role: text }))
    .nullish()
    .catch(null),
  typography: z
    .object({ fontFamilies: z.object({ primary: text, heading: text }).nullish().catch(null) })
    .nullish()
    .catch(null),
  images: z.object({ logo: text }).nullish().catch(null),
});

const gaps = { background: '#ffffff', text: '#333333', accent: '#0066cc' } as const;

/** Null when the page told nothing: three colours of ours are not somebody's brand. */
export function toBranding(scraped: z.infer<typeof scrapedBranding>): Branding | null {
  const found = (...names: string[]): string | null =>
    names.map((name) => hexColour(scraped.colors?.[name])).find((colour) => colour !== null) ?? null;
  const families = scraped.typography?.fontFamilies;
  const fonts = scraped.fonts ?? [];
  const named = (role: string) => fonts.find((font) => font.role === role)?.family;

  const background = found('background');
  const ink = found('textPrimary', 'text');
  const accent = found('accent', 'link', 'primary');
  const primary = found('primary');
  const secondary = found('secondary');
  const heading = fontName(families?.heading ?? named('heading') ?? fonts[0]?.family);
  const body = fontName(families?.primary ?? named('body') ?? fonts[0]?.family);
  const logoUrl = webAddress(scraped.logo) ?? webAddress(scraped.images?.logo);

  if ([background, ink, accent, secondary, heading, body, logoUrl].every((part) => part === null))
    return null;
  return {
    colors: {
      background: background ?? gaps.background,
      text: ink ?? gaps.text,
      accent: accent ?? gaps.accent,
      primary: primary ?? accent ?? gaps.accent,
      secondary: secondary ?? ink ?? gaps.text,
    },
    fonts: { heading, body },
    logoUrl,
  };
}

/** `#rgb` is spelled out and transparency dropped; a name or a function of CSS is no colour here. */
function hexColour(value: unknown): string | null {
  const digits = typeof value === 'string' ? /^#([0-9a-f]+)$/iu.exec(value.trim())?.[1]?.toLowerCase() : null;
  if (digits?.length === 3 || digits?.length === 4)
    return `#${[...digits.slice(0, 3)].map((digit) => digit + digit).join('')}`;
  return digits?.length === 6 || digits?.length === 8 ? `#${digits.slice(0, 6)}` : null;
}

const fontName = (family: string | null | undefined): string | null => {
  const name = family?.split(',')[0]?.replaceAll(/["']/gu, '').trim();
  return name && /^[\p{L}\p{N} _-]{1,60}$/u.test(name) ? name : null;
};

const webAddress = (address: string | null | undefined): string | null =>
  address && /^https?:\/\/\S{1,2000}$/iu.test(address) ? address : null;
