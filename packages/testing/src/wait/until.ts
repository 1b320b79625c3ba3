import { vi } from 'vitest';

/** Only a hang takes longer. Within vitest's default of a second a loaded machine has not started a process. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 20;

/**
 * Waits until a check holds: calls it every `intervalMs` milliseconds until it neither throws nor rejects.
 * @returns what the check returned
 * @throws the last error of the check, after a minute
 */
export function eventually<T>(check: () => T | Promise<T>, intervalMs = INTERVAL_MS): Promise<T> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS, interval: intervalMs });
}

/**
 * Waits until `find` returns a truthy value: calls it every `intervalMs` milliseconds.
 * @returns that value
 * @throws after a minute; an error of `find` at once
 */
export function untilFound<T>(find: () => T | Promise<T>, intervalMs = INTERVAL_MS) {
  return vi.waitUntil(find, { timeout: TIMEOUT_MS, interval: intervalMs });
}

const PAUSE_MS = 5;

/** Waits until a condition holds. @throws after a minute, with the name of the condition */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
