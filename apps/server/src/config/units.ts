const BYTES = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

/** Parses `512MiB`, `4GiB` or `1TiB` into bytes; null when it is none of these. */
export function parseByteSize(text: string): number | null {
  const match = /^(\d{1,6})(MiB|GiB|TiB)$/.exec(text);
  return match === null ? null : Number(match[1]) * BYTES[match[2] as keyof typeof BYTES];
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `30s`, `15m`, `12h`, `7d`, `250ms` or `0` into milliseconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return null;
  return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}
