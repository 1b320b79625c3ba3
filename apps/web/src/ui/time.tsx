import { formatDuration } from '../format/duration.ts';
import { formatExact, formatRelative } from '../format/relative-time.ts';
import { useNow } from './now.ts';

/** A time seen from now, with the exact one on hover. @param at ISO 8601 */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatExact(date)}>
      {formatRelative(date, now)}
    </time>
  );
}

const SECOND = 1_000; // below that the page's clock is behind

/** How long it has been since a time, with the exact one on hover. @param since ISO 8601 */
export function Elapsed({ since }: { readonly since: string }) {
  const now = useNow();
  const date = new Date(since);
  return (
    <time dateTime={since} title={`since ${formatExact(date)}`}>
      {now - date.getTime() < SECOND ? 'a moment' : formatDuration(now - date.getTime())}
    </time>
  );
}
