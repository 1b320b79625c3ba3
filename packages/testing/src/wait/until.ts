const PAUSE_MS = 5;
const TIMEOUT_MS = 60_000; // only a hang takes longer

/** Waits until a condition holds. @throws after a minute, with the name of the condition */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
