import type { SluiceClient } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { counted } from './counted.ts';

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
