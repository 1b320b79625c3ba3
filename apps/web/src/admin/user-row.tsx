import type { UserAccount } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';
import { type UserAct, userActs } from './user-acts.ts';

interface UserRowProps {
  readonly user: UserAccount;
  /** Operators can neither disable nor demote themselves. */
  readonly isMe: boolean;
  readonly onOpen: () => void;
  readonly onAct: (act: UserAct) => void;
}

/** A user in the list of operators. */
export function UserRow({ user, isMe, onOpen, onAct }: UserRowProps) {
  const name = accountName(user);
  const isEnabled = user.disabled_at === null;
  const access = `${counted(user.live_sessions, 'session')}, ${counted(user.live_tokens, 'token')}`;
  const isDeleted = user.deleted_at !== null;
  const whatCanBeDone: UserAct[] = [
    ...(user.live_sessions > 0 ? (['end_sessions'] as const) : []),
    ...(user.second_factor && !isMe ? (['remove_factors'] as const) : []),
    ...(isMe ? [] : [user.operator ? ('revoke_operator' as const) : ('grant_operator' as const)]),
    ...(isMe ? [] : [isEnabled ? ('disable' as const) : ('enable' as const)]),
  ];
  const acts = isDeleted ? [] : whatCanBeDone;
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <bdi className={rows.strong}>{name}</bdi> {isMe && <Badge tone="good">you</Badge>}{' '}
        {user.operator && <Badge>operator</Badge>} {user.second_factor && <Badge>second factor</Badge>}{' '}
        {!isEnabled && <Badge tone="bad">{isDeleted ? 'deleted' : 'disabled'}</Badge>}
        <span className={rows.line}>
          {waysIn(user)}. {counted(user.repositories, 'repository', 'repositories')}.
          {user.failed_logins > 0 && ` ${counted(user.failed_logins, 'failed login')} in 7 days.`}{' '}
          {user.last_seen_at === null ? (
            'Never seen.'
          ) : (
            <>
              Last seen <RelativeTime at={user.last_seen_at} />.
            </>
          )}{' '}
          Registered <RelativeTime at={user.created_at} />.
        </span>
      </span>
      <Button aria-label={`${access}: ${name}`} onClick={onOpen}>
        {access}
      </Button>
      <Link to="/admin/audit" search={{ user: user.id }} className={buttonClass()} aria-label={`Audit log of ${name}`}>
        Audit log
      </Link>
      {acts.map((act) => (
        <Button
          key={act}
          tone={'tone' in userActs[act] ? 'danger' : 'plain'}
          aria-label={`${userActs[act].label}: ${name}`}
          onClick={() => onAct(act)}
        >
          {userActs[act].label}…
        </Button>
      ))}
    </li>
  );
}

export function accountName({ email, codehost_login, name, id, deleted_at }: UserAccount): string {
  if (deleted_at !== null) return `deleted user ${id}`;
  return visibleText(email ?? codehost_login ?? name ?? id);
}

function waysIn({ has_password, codehost_login, name, email }: UserAccount): string {
  const ways = [
    ...(has_password ? ['a password'] : []),
    ...(codehost_login === null ? [] : [`the code host as ${visibleText(codehost_login)}`]),
  ];
  const called = name === null || email === null ? '' : `${visibleText(name)}. `;
  return (
    called + (ways.length === 0 ? 'Logs in by single sign-on, or not at all' : `Logs in with ${ways.join(' or ')}`)
  );
}
