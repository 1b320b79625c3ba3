import type { Member } from '@sluice/client';
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
