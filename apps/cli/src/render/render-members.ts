import type { Invitation, Member } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { shortId } from './short-id.ts';

/** What a member is called by: their e-mail, else their login at the code host, else their id. */
export function memberName({ user_id: id, email, codehost_login: login }: Member): string {
  return plainLine(email ?? login ?? id);
}

const origins: Readonly<Record<Member['origin'], string>> = {
  registered: 'registered it',
  added: '',
  mirrored: 'by the code host',
  oidc: 'by groups',
};

/** Renders one member a line. */
export function renderMembers(members: readonly Member[], sheet: Sheet): string {
  return renderColumns(
    members,
    [
      { title: 'ID', cell: ({ user_id: id }) => shortId(id) },
      { title: 'ROLE', cell: ({ role }) => role, colour: () => 'cyan' },
      { title: 'E-MAIL', cell: ({ email }) => plainLine(email ?? ''), colour: () => 'bold' },
      { title: 'LOGIN', cell: ({ codehost_login: login }) => plainLine(login ?? '') },
      { title: 'NAME', cell: ({ name }) => plainLine(name ?? ''), narrow: 'shorten' },
      { title: '', cell: ({ origin }) => origins[origin], plain: ({ origin }) => origin, colour: () => 'dim' },
    ],
    sheet,
  );
}

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
