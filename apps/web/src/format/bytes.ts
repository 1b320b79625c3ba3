const KIB = 1_024;
const encoder = new TextEncoder();

/** How long a text is in UTF-8, as the server counts it. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** A size: `850 B`, `1.2 KiB`, `64 KiB`, `3.5 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  const [size, unit] = bytes < KIB * KIB ? [bytes / KIB, 'KiB'] : [bytes / KIB / KIB, 'MiB'];
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)} ${unit}`;
}
