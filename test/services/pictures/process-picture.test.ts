import { crc32 } from 'node:zlib';
import { pino } from 'pino';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { NotAPicture, processPicture, toJpeg } from '../../../src/services/pictures/process-picture.ts';
import { keptLog } from './kept-log.ts';

const silent = pino({ level: 'silent' });

const drawn = (width: number, height: number, background = '#b05040') =>
  sharp({ create: { width, height, channels: 3, background } });

describe('a drawn picture', () => {
  it('becomes WebP of the same size', async () => {
    const picture = await processPicture(await drawn(96, 64).png().toBuffer(), silent);
    expect(picture).toMatchObject({ width: 96, height: 64, extension: 'webp', contentType: 'image/webp' });
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'webp', width: 96, height: 64 });
  });

  it('gains contrast and colour, and its grey stays grey', async () => {
    const pixel = async (background: string) => {
      const { bytes } = await processPicture(await drawn(32, 32, background).png().toBuffer(), silent);
      const [red, green, blue] = await sharp(bytes).raw().toBuffer();
      return { red: red!, green: green!, blue: blue! };
    };
    const warm = await pixel('#b06050'); // 176, 96, 80
    expect(warm.red - warm.blue).toBeGreaterThan((176 - 80) * 1.1);
    const light = await pixel('#d0d0d0');
    expect(light.red).toBeGreaterThan(208);
    expect(Math.max(...Object.values(light)) - Math.min(...Object.values(light))).toBeLessThanOrEqual(1);
    const dark = await pixel('#303030');
    expect(dark.red).toBeLessThan(48);
  });

  it('gains sharpness at an edge', async () => {
    const edge = await drawn(64, 64, '#606060')
      .composite([{ input: await drawn(32, 64, '#a0a0a0').png().toBuffer(), left: 32, top: 0 }])
      .png()
      .toBuffer();
    const { bytes } = await processPicture(edge, silent);
    const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    const row = [...data.subarray(32 * info.width * info.channels, 33 * info.width * info.channels)];
    const [flatDark, flatLight] = [row[4 * info.channels]!, row[60 * info.channels]!];
    expect(Math.min(...row)).toBeLessThan(flatDark - 2);
    expect(Math.max(...row)).toBeGreaterThan(flatLight + 2);
  });

  it('keeps what can be seen through', async () => {
    const hole = await sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { bytes } = await processPicture(hole, silent);
    expect((await sharp(bytes).stats()).channels[3]!.max).toBe(0);
    const [red] = await sharp(await toJpeg(hole))
      .raw()
      .toBuffer();
    expect(red).toBe(255);
  });

  it('stands upright, as its camera meant', async () => {
    const lying = await drawn(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await processPicture(lying, silent)).toMatchObject({ width: 20, height: 40 });
  });

  it('stays in its own format when WebP cannot hold it (E33)', async () => {
    const { log, lines } = keptLog();
    const wide = await drawn(16_400, 2).png().toBuffer(); // WebP ends at 16 383
    const picture = await processPicture(wide, log);
    expect(picture).toMatchObject({
      width: 16_400,
      height: 2,
      extension: 'png',
      contentType: 'image/png',
    });
    expect(picture.bytes.equals(wide)).toBe(true);
    expect(lines).toMatchObject([{ level: 'warn', format: 'png' }]);
  });
});

describe('what is no picture', () => {
  it.each([
    ['a refusal in words', Buffer.from('I cannot draw this.')],
    ['nothing', Buffer.alloc(0)],
    [
      'a drawing made of markup',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['a bare beginning', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('is refused: %s', async (_, bytes) => {
    await expect(processPicture(bytes, silent)).rejects.toThrow(NotAPicture);
    await expect(toJpeg(bytes)).rejects.toThrow(NotAPicture);
  });

  it('is one that breaks off in the middle', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const whole = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#000', noise } })
      .png()
      .toBuffer();
    const half = whole.subarray(0, whole.length / 2);
    await expect(processPicture(half, silent)).rejects.toThrow(NotAPicture);
  });

  it('is one that claims to be larger than fits', async () => {
    const huge = Buffer.from(await drawn(8, 8).png().toBuffer());
    huge.writeUInt32BE(8_000, 16);
    huge.writeUInt32BE(8_000, 20);
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
    await expect(processPicture(huge, silent)).rejects.toMatchObject({
      code: 'NOT_A_PICTURE',
      cause: { message: expect.stringContaining('pixel limit') },
    });
    await expect(toJpeg(huge)).rejects.toThrow(NotAPicture);
  });
});

it('makes JPEG for the platforms that take no WebP', async () => {
  const { bytes } = await processPicture(await drawn(96, 64).png().toBuffer(), silent);
  expect(await sharp(await toJpeg(bytes)).metadata()).toMatchObject({
    format: 'jpeg',
    width: 96,
    height: 64,
  });
});
