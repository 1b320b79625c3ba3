/**
 * An impossible request by the person at the command. The message says why and what to do, so no stack goes with it.
 */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A number given as an option. @throws UsageError that names the option */
export function wholeNumber(option: string, given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new UsageError(`${option} takes a whole number from 1, not "${given}".`);
}
