/** What the image models deliver at 1K. */
const atOneK: Readonly<Record<string, readonly [width: number, height: number]>> = {
  '1:1': [1024, 1024],
  '2:3': [1024, 1536],
  '3:2': [1536, 1024],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '4:5': [928, 1152],
  '5:4': [1152, 928],
  '9:16': [768, 1344],
  '16:9': [1344, 768],
  '21:9': [1536, 672],
};
const times: Readonly<Record<string, number>> = { '1K': 1, '2K': 2, '4K': 4 };

/** An unknown shape is square, an unknown size the smallest: as the models do it. */
export function pictureSize(aspectRatio: string, size: string): { width: number; height: number } {
  const [width, height] = atOneK[aspectRatio] ?? atOneK['1:1']!;
  const factor = times[size] ?? 1;
  return { width: width * factor, height: height * factor };
}
