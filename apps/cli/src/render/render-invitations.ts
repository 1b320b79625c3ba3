import type { Invitation } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';

/** Renders one invitation a line, with whole ids: they are what `withdraw` takes. */
export function renderInvitations(invitations: readonly Invitation[], sheet: Sheet): string {
  if (invitations.length === 0) return sheet.page.isTerminal ? 'No open invitations.' : '';
  return renderColumns(
    invitations,
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'E-MAIL', cell: ({ email }) => plainLine(email), colour: () => 'bold' },
      { title: 'ROLE', cell: ({ repository }) => repository?.role ?? '', colour: () => 'cyan' },
      { title: 'REPOSITORY', cell: ({ repository }) => plainLine(repository?.name ?? ''), narrow: 'shorten' },
      { title: 'INVITED BY', cell: ({ invited_by: by }) => plainLine(by.name ?? by.codehost_login ?? by.id) },
      { title: 'EXPIRES', cell: ({ expires_at: at }) => at.slice(0, 16).replace('T', ' ') },
    ],
    sheet,
  );
}
