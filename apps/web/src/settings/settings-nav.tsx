import { Link } from '@tanstack/react-router';
import styles from './settings.module.css';

const sections = [
  ['profile', 'Profile'],
  ['password', 'Password'],
  ['second-factor', 'Second factor'],
  ['sessions', 'Sessions'],
  ['budgets', 'Budgets'],
  ['tokens', 'API tokens'],
  ['code-host', 'Code host'],
  ['notifications', 'Notifications'],
  ['appearance', 'Appearance'],
  ['failed-logins', 'Failed logins'],
  ['audit', 'Audit'],
  ['delete-account', 'Delete the account'],
] as const;

/** Leads to the sections of the settings. */
export function SettingsNav({ takesTokens }: { readonly takesTokens: boolean }) {
  const shown = sections.filter(([id]) => id !== 'tokens' || takesTokens);
  return (
    <nav className={styles.nav} aria-label="Settings">
      {shown.map(([id, name]) => (
        <Link key={id} to="/settings" hash={id} activeOptions={{ includeHash: true }}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
