import type { SluiceClient } from '@sluice/client';
import type { AccountReport, AuditReport, DisableReport, EndReport } from '@sluice/server';
import { plainLine } from '../terminal/plain-text.ts';
import { counted } from './counted.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderRelative } from './render-time.ts';
import { shortId } from './short-id.ts';

/** Renders one user a line, with the whole id: it names a user who has no e-mail. */
export function renderAccounts(accounts: readonly AccountReport[], sheet: Sheet): string {
  if (accounts.length === 0) return sheet.page.isTerminal ? 'No users.' : '';
  return renderColumns(
    accounts,
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'USER', cell: nameOf, colour: () => 'bold', narrow: 'shorten' },
      { title: 'ROLE', cell: ({ operator }) => (operator ? 'operator' : ''), colour: () => 'yellow' },
      { title: 'STATE', cell: stateOf, colour: () => 'red' },
      { title: 'SESSIONS', cell: ({ live_sessions: live }) => `${live} ${live === 1 ? 'session' : 'sessions'}` },
      { title: 'LOGIN', cell: loginMethods, colour: () => 'dim', narrow: 'omit' },
      {
        title: 'FAILURES',
        cell: (account) => (account.failed_logins === 0 ? '' : failures(account)),
        colour: () => 'yellow',
        narrow: 'omit',
      },
    ],
    sheet,
  );
}

/** Renders what was done to a user, and how many of their sessions ended. */
export function renderSessionsEnded(done: string, { user, sessions_ended, servers_told }: EndReport): string {
  const sessions = `${sessions_ended} ${sessions_ended === 1 ? 'session' : 'sessions'} ended`;
  const later = servers_told ? '' : ' Redis is unreachable: open event streams end within seconds.';
  return `${nameOf(user)} ${done}; ${sessions}.${later}`;
}

/** Renders the same for a user who was disabled, with the issues that were cancelled. */
export function renderDisabled(report: DisableReport): string {
  const { issues_cancelled: issues } = report;
  const done = renderSessionsEnded('is disabled', report);
  return issues === 0 ? done : `${done}\n${issues} ${issues === 1 ? 'issue was' : 'issues were'} cancelled.`;
}

/** Renders one audit entry a line, newest first. */
export function renderAudit(entries: AuditReport['items'], sheet: Sheet): string {
  if (entries.length === 0) return sheet.page.isTerminal ? 'No audit entries.' : '';
  return renderColumns(
    entries,
    [
      { title: 'TIME', cell: ({ at }) => at, colour: () => 'dim' },
      {
        title: 'BY',
        cell: ({ actor, user_id }) => (actor === 'user' ? (user_id ?? '') : actor),
        colour: ({ actor }) => (actor === 'user' ? null : 'yellow'),
      },
      { title: 'ACTION', cell: ({ action }) => action, colour: () => 'bold' },
      { title: 'SUBJECT', cell: ({ subject }) => subject.id ?? subject.kind },
      { title: 'DETAIL', cell: ({ detail }) => plainLine(JSON.stringify(detail)), narrow: 'shorten' },
    ],
    sheet,
  );
}

function failures({ failed_logins: failed }: AccountReport): string {
  return `${failed} failed ${failed === 1 ? 'login' : 'logins'} in 7 days`;
}

function stateOf({ disabled_at: disabled, deleted_at: deleted }: AccountReport): string {
  return deleted !== null ? 'deleted' : disabled !== null ? 'disabled' : '';
}

export function nameOf({ email, codehost_login, id, deleted_at: deleted }: AccountReport): string {
  return deleted === null ? plainLine(email ?? codehost_login ?? id) : 'deleted user';
}

function loginMethods({ has_password, codehost_login }: AccountReport): string {
  const ways = [
    ...(has_password ? ['password'] : []),
    ...(codehost_login === null ? [] : [`as ${plainLine(codehost_login)}`]),
  ];
  return ways.length === 0 ? 'cannot log in' : ways.join(', ');
}

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

type Deletion = Awaited<ReturnType<SluiceClient['auth']['account']['deletion']['query']>>;

/** Tells what becomes of the issues and repositories of an account, a line each. */
export function renderDeletion({ issues_to_cancel: cancelled, issues_kept: kept, repos }: Deletion): string {
  const lines = repos.map(({ name, heir, issues, issues_of_others: others, token_dropped: isDropped }) => {
    const shown = plainLine(name);
    if (heir === null) {
      const ofOthers = others === 0 ? '' : `, ${others} of them by other users`;
      return `${shown} is removed with its ${counted(issues, 'issue')}${ofOthers}.`;
    }
    const to = plainLine(heir.name ?? heir.codehost_login ?? heir.user_id);
    const token = isDropped ? ' Its access token is deleted: they have to set their own.' : '';
    return `${shown} is handed over to ${to} with its ${counted(issues, 'issue')}.${token}`;
  });
  const notEnded = `${counted(cancelled, 'issue')} that ${cancelled === 1 ? 'has' : 'have'} not ended: cancelled.`;
  return [
    ...(cancelled === 0 ? [] : [notEnded]),
    ...(kept === 0 ? [] : [`${counted(kept, 'issue')} of yours in repositories that stay: kept, without your name.`]),
    ...lines,
    'Your sessions, tokens, memberships, ways to log in, name and e-mail are deleted.',
  ].join('\n');
}
