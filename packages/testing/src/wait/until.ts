const PAUSE_MS = 5;
const PATIENCE_MS = 60_000; // tells of a hang, never of a busy machine

/** Waits until a condition holds. @throws after a long while, naming what was waited for */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
