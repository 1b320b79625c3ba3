import type { SluiceClient } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderRelative } from './render-time.ts';
import { shortId } from './short-id.ts';

type Session = Awaited<ReturnType<SluiceClient['auth']['sessions']['list']['query']>>['items'][number];

/** Renders one session a line. */
export function renderSessions(sessions: readonly Session[], sheet: Sheet): string {
  const now = new Date();
  return renderColumns(
    sessions,
    [
      { title: 'ID', cell: ({ id }) => shortId(id) },
      { title: 'CLIENT', cell: ({ client }) => plainLine(client ?? 'unknown'), narrow: 'shorten' },
      { title: 'LAST USED', cell: (one) => renderRelative(one.last_seen_at, now), plain: (one) => one.last_seen_at },
      { title: 'ENDS', cell: (one) => renderRelative(one.expires_at, now), plain: (one) => one.expires_at },
      { title: '', cell: ({ current }) => (current ? 'this one' : ''), colour: () => 'green' },
    ],
    sheet,
  );
}
