/**
 * Which section each of the pictures belongs to. The introduction and the end stay without when there are sections
 * enough between them; more pictures than sections begin again at the first.
 */
export function spreadOverSections(pictures: number, sections: number): number[] {
  const first = sections > pictures + 1 ? 1 : 0;
  const count = sections - 2 * first;
  if (count <= 0) return [];
  const step = Math.max(1, count / pictures);
  return Array.from({ length: pictures }, (_, i) => first + (Math.floor(i * step) % count));
}
