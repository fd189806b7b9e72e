/** Holds callers back at a closed gate until it is opened. */
export function createGates() {
  const held = new Map<string, { opened: Promise<void>; open(): void }>();
  return { shut, passed, open, openAll };

  function shut(...places: string[]): void {
    for (const place of places) {
      let resolve = () => {};
      const opened = new Promise<void>((settle) => {
        resolve = settle;
      });
      held.set(place, { opened, open: resolve });
    }
  }

  async function passed(place: string): Promise<void> {
    await held.get(place)?.opened;
  }

  function open(place: string): void {
    held.get(place)?.open();
    held.delete(place);
  }

  function openAll(): void {
    for (const place of [...held.keys()]) open(place);
  }
}
