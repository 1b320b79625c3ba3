import type { AccountReport, AuditReport, DisableReport, EndReport } from '@sluice/server';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderTable } from './render-table.ts';

/** Renders one user a line, with the whole id: it names a user who has no e-mail. */
export function renderAccounts(accounts: readonly AccountReport[], style: Style): string {
  if (accounts.length === 0) return 'No users.';
  return renderTable(
    accounts.map((account) => [
      account.id,
      style('bold', nameOf(account)),
      account.disabled_at === null ? '' : style('red', 'disabled'),
      `${account.live_sessions} ${account.live_sessions === 1 ? 'session' : 'sessions'}`,
      style('dim', loginMethods(account)),
      account.failed_logins === 0 ? '' : style('yellow', failures(account)),
    ]),
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
export function renderAudit(entries: AuditReport['items'], style: Style): string {
  if (entries.length === 0) return 'No audit entries.';
  return renderTable(
    entries.map(({ at, actor, user_id, action, subject, detail }) => [
      style('dim', at),
      actor === 'operator' ? style('yellow', 'operator') : (user_id ?? ''),
      style('bold', action),
      subject.id ?? subject.kind,
      plainLine(JSON.stringify(detail)),
    ]),
  );
}

function failures({ failed_logins: failed }: AccountReport): string {
  return `${failed} failed ${failed === 1 ? 'login' : 'logins'} in 7 days`;
}

export function nameOf({ email, codehost_login, id }: AccountReport): string {
  return plainLine(email ?? codehost_login ?? id);
}

function loginMethods({ has_password, codehost_login }: AccountReport): string {
  const ways = [
    ...(has_password ? ['password'] : []),
    ...(codehost_login === null ? [] : [`as ${plainLine(codehost_login)}`]),
  ];
  return ways.length === 0 ? 'cannot log in' : ways.join(', ');
}
