/** The value below which this share of the samples lies; 0 without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Lines of two columns. */
export function printFigures(figures: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(figures).map(({ length }) => length));
  return Object.entries(figures)
    .map(([name, figure]) => `${name.padEnd(width)}  ${figure}\n`)
    .join('');
}
