import type { ApiToken } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { shortId } from './short-id.ts';

/** A token of a list, with its owner where the list has those of several users. */
type Listed = ApiToken & { readonly user_name?: string | null; readonly user_codehost_login?: string | null };

/** Renders one token a line. */
export function renderTokens(tokens: readonly Listed[], sheet: Sheet): string {
  const hasOwners = tokens.some((token) => 'user_name' in token);
  return renderColumns(
    tokens,
    [
      { title: 'ID', cell: ({ id }) => shortId(id) },
      { title: 'SCOPE', cell: ({ scope }) => scope, colour: () => 'cyan' },
      { title: 'NAME', cell: ({ name }) => plainLine(name), colour: () => 'bold', narrow: 'shorten' },
      { title: 'REPOSITORY', cell: ({ repo_id: repo }) => (repo === null ? 'all' : shortId(repo)) },
      ...(hasOwners ? [{ title: 'OWNER', cell: ownerOf }] : []),
      { title: 'ENDS IN', cell: ({ hint }) => `…${hint}` },
      { title: 'EXPIRES', cell: ({ expires_at: at }) => at.slice(0, 10) },
      { title: 'LAST USED', cell: ({ last_used_at: at, last_client: by }) => usedText(at, by) },
    ],
    sheet,
  );
}

function ownerOf({ user_name: name, user_codehost_login: login, user_id: id }: Listed): string {
  return plainLine(name ?? login ?? shortId(id));
}

function usedText(at: string | null, by: string | null): string {
  if (at === null) return 'never';
  return `${at.slice(0, 16).replace('T', ' ')}${by === null ? '' : `, ${plainLine(by)}`}`;
}

/** Renders the tokens of all users for an operator, with whole ids: they are what `revoke` takes. */
export function renderAdminTokens(
  tokens: readonly (Pick<
    ApiToken,
    'id' | 'scope' | 'name' | 'repo_id' | 'expires_at' | 'last_used_at' | 'last_client'
  > & {
    readonly user: string;
  })[],
  sheet: Sheet,
): string {
  return renderColumns(
    tokens,
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'USER', cell: ({ user }) => plainLine(user), colour: () => 'bold' },
      { title: 'SCOPE', cell: ({ scope }) => scope, colour: () => 'cyan' },
      { title: 'NAME', cell: ({ name }) => plainLine(name), narrow: 'shorten' },
      { title: 'REPOSITORY', cell: ({ repo_id: repo }) => (repo === null ? 'all' : shortId(repo)) },
      { title: 'EXPIRES', cell: ({ expires_at: at }) => at.slice(0, 10) },
      { title: 'LAST USED', cell: ({ last_used_at: at, last_client: by }) => usedText(at, by) },
    ],
    sheet,
  );
}
