import { CommandError, exitCode } from '../terminal/exit-code.ts';

/** An option's value as a whole number from 1 on. */
export function wholeNumber(given: string): number {
  const number = Number(given);
  if (/^\d{1,15}$/.test(given) && number > 0) return number;
  throw new CommandError(exitCode.usage, `${JSON.stringify(given)} is no number from 1 on.`);
}
