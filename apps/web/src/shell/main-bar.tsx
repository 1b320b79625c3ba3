import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useNotificationState } from '../browser/notification-permission.ts';
import { formatCount } from '../format/amounts.ts';
import { notificationWords } from '../session/notification-words.ts';
import { usePreferences } from '../session/preferences.ts';
import { serverQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import styles from './main-bar.module.css';

interface MainBarProps {
  /** The e-mail of the user who is logged in. */
  readonly account: string | undefined;
  /** How many issues wait for the user. */
  readonly waiting: number;
  readonly isOperator: boolean;
  readonly onPalette: () => void;
  readonly onNotifications: () => void;
}

/** The links that every page has, and the warnings about this server. */
export function MainBar({ account, waiting, isOperator, onPalette, onNotifications }: MainBarProps) {
  const permission = useNotificationState();
  const { notifications: isWanted } = usePreferences();
  const notifications = notificationWords({ isWanted, permission });
  return (
    <header className={styles.bar}>
      <Link to="/issues" className={styles.brand}>
        Sluice
      </Link>
      <nav className={styles.nav} aria-label="Main">
        <Link to="/issues" className={styles.link} activeOptions={{ includeSearch: false }}>
          Inbox
          {waiting > 0 && (
            <span className={styles.count} title="They wait for you">
              {formatCount(waiting)}
            </span>
          )}
        </Link>
        <Link to="/repos" className={styles.link}>
          Repositories
        </Link>
        <Link to="/outcomes" className={styles.link} activeOptions={{ includeSearch: false }}>
          Outcomes
        </Link>
        <Link to="/settings" className={styles.link} title={account}>
          Settings
        </Link>
        {isOperator && (
          <Link to="/admin" className={styles.link}>
            Admin
          </Link>
        )}
      </nav>
      <ServerChips />
      <div className={styles.tools}>
        <button
          type="button"
          className={buttonClass('plain', styles.search)}
          onClick={onPalette}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Icon name="search" />
          <span>Search</span>
          <kbd className={styles.key}>Ctrl K</kbd>
        </button>
        <button
          type="button"
          className={buttonClass('quiet', styles.bell)}
          onClick={onNotifications}
          aria-label={notifications}
          title={notifications}
        >
          <Icon name={isWanted && permission === 'granted' ? 'bell' : 'bellOff'} />
        </button>
      </div>
    </header>
  );
}

const NO_MODEL =
  'No model is configured for writing code. The built-in one makes only the edits that an issue spells out. The operator sets MODEL to change that.';
const NO_SANDBOX =
  'SANDBOX=none: commands of repositories run without a sandbox, with the rights of the server. The operator can change that.';

/** The warnings about this server on every page: that no model writes code, that nothing isolates commands. */
function ServerChips() {
  const { data } = useQuery(serverQuery);
  const details = data?.details ?? null;
  if (details === null) return null;
  return (
    <div className={styles.chips}>
      {details.models.implement.builtin && (
        <Badge tone="warn" title={NO_MODEL}>
          built-in (no model)
        </Badge>
      )}
      {details.sandbox === 'none' && (
        <Badge tone="bad" title={NO_SANDBOX}>
          sandbox off
        </Badge>
      )}
    </div>
  );
}

const iconPaths = {
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14',
  bell: 'M8 2a4 4 0 0 1 4 4c0 4 1.5 5 1.5 5h-11S4 10 4 6a4 4 0 0 1 4-4ZM6.5 13.5a1.6 1.6 0 0 0 3 0',
  bellOff: 'M8 2a4 4 0 0 1 4 4c0 4 1.5 5 1.5 5h-11S4 10 4 6a4 4 0 0 1 4-4ZM6.5 13.5a1.6 1.6 0 0 0 3 0M2 2l12 12',
} as const;

/** A small drawing beside a name; the name is said elsewhere. */
function Icon({ name }: { readonly name: keyof typeof iconPaths }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
