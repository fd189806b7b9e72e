import sharp from 'sharp';

type Colours = { text?: string; accent?: string; background?: string };

/** A piece of an article as it will look: a heading, a few lines, a link. */
export const drawBrandingCard = async (colours: Colours): Promise<Uint8Array> =>
  sharp(Buffer.from(brandingCardSvg(colours)))
    .png()
    .toBuffer();

function brandingCardSvg({ text = '#333333', accent = '#0066cc', background = '#ffffff' }: Colours): string {
  const line = (y: number, width: number) =>
    `<rect x="60" y="${y}" width="${width}" height="14" rx="7" fill="${text}" opacity="0.55"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="420" font-family="'DejaVu Sans', Arial, sans-serif">
<rect width="900" height="420" fill="${background}"/>
<text x="60" y="100" font-size="44" font-weight="700" fill="${text}">Так выглядит заголовок</text>
${line(150, 760)}${line(184, 700)}${line(218, 740)}
<text x="60" y="290" font-size="30" fill="${accent}" text-decoration="underline">и ссылка на страницу сайта</text>
<rect x="60" y="330" width="90" height="50" rx="10" fill="${text}"/>
<rect x="170" y="330" width="90" height="50" rx="10" fill="${accent}"/>
<rect x="280" y="330" width="90" height="50" rx="10" fill="${background}" stroke="#c3cbd5" stroke-width="2"/>
</svg>`;
}
