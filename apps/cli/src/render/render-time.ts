const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in milliseconds, with the tenth of a second where that matters: `1.3 s`, `2 min 5 s`. */
export function renderDuration(ms: number): string {
  return ms < MINUTE ? `${(ms / SECOND).toFixed(1)} s` : renderElapsed(ms);
}

/** A duration in milliseconds in its two largest units, rounded down: `45 s`, `2 min 5 s`, `3 h 10 min`, `6 d 4 h`. */
export function renderElapsed(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return twoUnits(whole, [MINUTE, 'min'], [SECOND, 's']);
  if (whole < DAY) return twoUnits(whole, [HOUR, 'h'], [MINUTE, 'min']);
  return twoUnits(whole, [DAY, 'd'], [HOUR, 'h']);
}

function twoUnits(ms: number, [large, name]: [number, string], [small, smallName]: [number, string]): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${name}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** How long ago or ahead `at` is, in one unit: `20 s ago`, `3 h ago`, `in 6 d`. */
export function renderRelative(at: string, now: Date): string {
  const ms = now.getTime() - Date.parse(at);
  const span = Math.abs(ms);
  const [unit, name] =
    span < MINUTE ? [SECOND, 's'] : span < HOUR ? [MINUTE, 'min'] : span < DAY ? [HOUR, 'h'] : [DAY, 'd'];
  // What lies ahead is rounded: an end that was 7 days away a second ago is not `in 6 d`.
  const count = `${(ms < 0 ? Math.round : Math.floor)(span / Number(unit))} ${name}`;
  return ms < 0 ? `in ${count}` : `${count} ago`;
}

/** An instant in the user's time zone: `2026-11-23 14:05`. */
export function renderInstant(at: string): string {
  const time = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
