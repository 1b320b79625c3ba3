import { Link } from '@tanstack/react-router';
import { useNotificationState } from '../browser/notification-permission.ts';
import { formatCount } from '../format/amounts.ts';
import { notificationWords } from '../session/notification-words.ts';
import { usePreferences } from '../session/preferences.ts';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './main-bar.module.css';
import { ServerChips } from './server-chips.tsx';

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
