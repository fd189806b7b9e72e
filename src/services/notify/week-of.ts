/** The Monday of a week, by the calendar of Moscow, where the calls of the house come from. */
export function weekOf(moment: Date): string {
  const inMoscow = new Date(moment.getTime() + 3 * 3_600_000);
  const sinceMonday = (inMoscow.getUTCDay() + 6) % 7;
  return new Date(inMoscow.getTime() - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}
