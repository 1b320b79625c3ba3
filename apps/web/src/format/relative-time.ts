const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time seen from now: `3 minutes ago`, `in 2 days`; within a minute `just now`. */
export function formatRelative(at: Date, now: number): string {
  const distance = at.getTime() - now;
  const [unit, ms] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', Number.POSITIVE_INFINITY];
  return Number.isFinite(ms) ? words.format(Math.trunc(distance / ms), unit) : 'just now';
}

/** A time in full, in the browser's time zone. */
export function formatExact(at: Date): string {
  return exact.format(at);
}
