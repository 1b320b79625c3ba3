import type { CodeHostForgetReport, CodeHostMoveReport } from '@sluice/server';
import { plainLine } from '../terminal/plain-text.ts';

/** Where the code host is now, or what kept it where it was. */
export function renderMove({ from, to, repos, blocked }: CodeHostMoveReport): string {
  if (blocked.length === 0) {
    return `The code host was ${from} and is ${to}; ${counted(repos, 'registration')} followed.`;
  }
  const lines = blocked.map(({ repo_id, user_id, by, by_id }) =>
    by === 'registration'
      ? `  ${repo_id} of user ${user_id}: he has registered its new address too, as ${by_id}, and has to remove one of them`
      : `  ${repo_id} of user ${user_id}: issue ${by_id} is in progress at its new address, and has to end first`,
  );
  return [`Nothing was changed: the code host is ${from} still. These cannot follow to ${to}:`, ...lines].join('\n');
}

/** What was taken away, and who cannot log in any more. */
export function renderForget(report: CodeHostForgetReport): string {
  const { codehost, users_unlinked, repos, without_password } = report;
  const lines = [
    `The code host ${codehost ?? '(none was kept)'} is forgotten: ${counted(users_unlinked, 'account')} unlinked, ${counted(repos, 'registration')} without an account now.`,
    ...(without_password.length === 0 ? [] : ['These have no password:']),
    ...without_password.map(({ id, email, live_sessions }) => {
      const session = live_sessions === 0 ? '' : ', or sets one in a session that he has';
      const way =
        email === null
          ? `no e-mail either: ${live_sessions === 0 ? 'he cannot log in any more' : 'he sets both in a session that he has'}`
          : `"sluice admin users reset-password ${id}" gives him one${session}`;
      return `  ${email === null ? id : plainLine(email)}: ${way}`;
    }),
  ];
  return lines.join('\n');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
