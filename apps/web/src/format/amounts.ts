const SMALL_USD = 0.01;

/** A cost in US dollars; an unknown one is called unknown, never shown as zero. */
export function formatCost(usd: number | null): string {
  if (usd === null) return 'cost unknown';
  if (usd === 0) return '$0.00';
  return usd < SMALL_USD ? `$${usd.toPrecision(1)}` : `$${usd.toFixed(2)}`;
}

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A number with its separators: `12,345`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** A number of tokens, shortened: `12.3K tokens`. */
export function formatTokens(count: number): string {
  return `${short.format(count)} ${count === 1 ? 'token' : 'tokens'}`;
}

/** A count with its noun: `1 file`, `3 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}
