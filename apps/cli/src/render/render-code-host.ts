import type { CodeHostForgetReport, CodeHostMoveReport } from '@sluice/server';
import { ownCommand } from '../terminal/environment.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { counted } from './counted.ts';

/** Renders the new address of the code host, or the registrations that block the change. */
export function renderMove({ from, to, repos, blocked }: CodeHostMoveReport): string {
  if (blocked.length === 0) {
    return `Changed the code host from ${from} to ${to}. ${counted(repos, 'registration')} updated.`;
  }
  const lines = blocked.map(({ repo_id, user_id, by, by_id }) =>
    by === 'registration'
      ? `  ${repo_id} of user ${user_id}: its new address is also registered, as ${by_id}; the user has to remove one of them`
      : `  ${repo_id} of user ${user_id}: issue ${by_id} is in progress at its new address and has to end first`,
  );
  return [
    `Nothing was changed: the code host is still ${from}. These registrations cannot move to ${to}:`,
    ...lines,
  ].join('\n');
}

/** Renders what was removed, and the users who can no longer log in. */
export function renderForget(report: CodeHostForgetReport): string {
  const { codehost, users_unlinked, repos, without_password } = report;
  const lines = [
    `Removed the code host ${codehost ?? '(none was stored)'}: ${counted(users_unlinked, 'account')} unlinked, ${counted(repos, 'registration')} left without an account.`,
    ...(without_password.length === 0 ? [] : ['These users have no password:']),
    ...without_password.map(({ id, email, live_sessions }) => {
      const session = live_sessions === 0 ? '' : ', or they set one in a session that is still open';
      const way =
        email === null
          ? `no e-mail either: ${live_sessions === 0 ? 'they can no longer log in' : 'they can set both in a session that is still open'}`
          : `"${ownCommand()} admin users reset-password ${id}" sets one${session}`;
      return `  ${email === null ? id : plainLine(email)}: ${way}`;
    }),
  ];
  return lines.join('\n');
}
