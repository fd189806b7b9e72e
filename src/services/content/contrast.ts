const HEX = /^#(?:[0-9a-f]{3}){1,2}$/iu;
/** WCAG 2.2, level AA, for text of ordinary size. */
const LEAST_CONTRAST = 4.5;

export const isHexColour = (colour: string | undefined): colour is string =>
  colour !== undefined && HEX.test(colour);

/** Whether text of this colour can be read on that background; a background that is not known is white. */
export function isReadable(colour: string, background = '#ffffff'): boolean {
  return contrast(colour, isHexColour(background) ? background : '#ffffff') >= LEAST_CONTRAST;
}

export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.slice(1);
  const wide = digits.length === 3 ? digits.replace(/./gu, '$&$&') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => linear(Number.parseInt(wide.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
