import type { RegisteredRepo } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';

/** Renders one repository of any user a line, for an operator. */
export function renderRegisteredRepos(repos: readonly RegisteredRepo[], sheet: Sheet): string {
  if (repos.length === 0) return sheet.page.isTerminal ? 'No repositories.' : '';
  return renderColumns(
    repos,
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'NAME', cell: ({ name }) => plainLine(name), colour: () => 'bold', narrow: 'shorten' },
      {
        title: 'REGISTERED BY',
        cell: ({ registrant: by }) => plainLine(by.email ?? by.codehost_login ?? by.name ?? by.id),
      },
      { title: 'STATE', cell: ({ registrant }) => (registrant.disabled ? 'disabled' : ''), colour: () => 'red' },
      { title: 'MEMBERS', cell: ({ members }) => String(members) },
      { title: 'LAST ACTIVITY', cell: ({ last_activity_at: at }) => at.slice(0, 16).replace('T', ' ') },
    ],
    sheet,
  );
}
