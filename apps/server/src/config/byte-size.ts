const UNITS = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

/** Parses `512MiB`, `4GiB` or `1TiB` into bytes; null when it is none of these. */
export function parseByteSize(text: string): number | null {
  const match = /^(\d{1,6})(MiB|GiB|TiB)$/.exec(text);
  return match === null ? null : Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
