import type { SluiceClient } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderTable } from './render-table.ts';
import { shortId } from './short-id.ts';

type Session = Awaited<ReturnType<SluiceClient['auth']['sessions']['query']>>['items'][number];

/** Renders one session a line. */
export function renderSessions(sessions: readonly Session[], style: Style): string {
  const head = ['ID', 'CLIENT', 'LAST USED', 'ENDS', ''].map((word) => style('dim', word));
  const rows = sessions.map(({ id, client, last_seen_at, expires_at, current }) => [
    shortId(id),
    client === null ? 'unknown' : plainLine(client),
    last_seen_at,
    expires_at,
    current ? style('green', 'this one') : '',
  ]);
  return renderTable([head, ...rows]);
}
