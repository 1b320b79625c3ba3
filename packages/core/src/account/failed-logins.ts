const DAY_MS = 86_400_000;

/** The days for which failed logins are kept, today among them: a quarter of a year. */
export const FAILED_LOGIN_DAYS = 90;

/** How many logins failed at an account on one day. */
export interface FailedLogins {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly count: number;
}

/** The day, in UTC, that was so many days before a moment. */
export function dayBefore(moment: Date, days: number): string {
  return new Date(moment.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}
