import { vi } from 'vitest';

/** It tells of a hang, never of a busy machine: vitest's own second is over before a loaded one has started a process. */
const PATIENCE_MS = 60_000;
const INTERVAL_MS = 20;

/**
 * Waits until a check holds: calls it every `intervalMs` milliseconds until it neither throws nor rejects.
 * @returns what the check returned
 * @throws after a minute, what the check threw last
 */
export function eventually<T>(check: () => T | Promise<T>, intervalMs = INTERVAL_MS): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: intervalMs });
}

/**
 * Waits until a look finds something: calls it every `intervalMs` milliseconds until it returns what is true.
 * @returns what was found
 * @throws after a minute; at once, what the look throws
 */
export function untilFound<T>(look: () => T | Promise<T>, intervalMs = INTERVAL_MS) {
  return vi.waitUntil(look, { timeout: PATIENCE_MS, interval: intervalMs });
}
