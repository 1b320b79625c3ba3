const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in milliseconds as people say it, in its two largest units: `850 ms`, `12 s`, `3 min 5 s`, `2 h 10 min`, `4 d 3 h`. */
export function formatDuration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < SECOND) return `${Math.round(length)} ms`;
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return pair([length, MINUTE, 'min'], [SECOND, 's']);
  if (length < DAY) return pair([length, HOUR, 'h'], [MINUTE, 'min']);
  return pair([length, DAY, 'd'], [HOUR, 'h']);
}

function pair([ms, large, largeName]: [number, number, string], [small, smallName]: [number, string]): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
