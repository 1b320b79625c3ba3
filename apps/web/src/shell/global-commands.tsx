import { useNavigate } from '@tanstack/react-router';
import type { Theme } from '../browser/theme.ts';
import { useCommand } from '../commands/use-command.ts';
import { useChangePreferences } from '../session/preferences.ts';
import { useLogOut } from '../session/use-log-out.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import styles from './shell.module.css';

interface GlobalCommandsProps {
  readonly isOperator: boolean;
  readonly onPalette: () => void;
  readonly onShortcuts: () => void;
  readonly onNotifications: () => void;
}

/** The commands that every page has, and what was refused of them. */
export function GlobalCommands({ isOperator, onPalette, onShortcuts, onNotifications }: GlobalCommandsProps) {
  const navigate = useNavigate();
  const preferences = useChangePreferences();
  const logOut = useLogOut();
  const setTheme = (theme: Theme) => preferences.mutate({ theme });
  useCommand({
    id: 'go.inbox',
    label: 'Go to the inbox',
    group: 'Go to',
    keys: 'g i',
    run: () => void navigate({ to: '/issues' }),
  });
  useCommand({
    id: 'go.repos',
    label: 'Go to the repositories',
    group: 'Go to',
    keys: 'g r',
    run: () => void navigate({ to: '/repos' }),
  });
  useCommand({
    id: 'go.outcomes',
    label: 'Go to the outcomes',
    group: 'Go to',
    keys: 'g o',
    run: () => void navigate({ to: '/outcomes' }),
  });
  useCommand({
    id: 'go.settings',
    label: 'Go to the settings',
    group: 'Go to',
    keys: 'g s',
    run: () => void navigate({ to: '/settings' }),
  });
  useCommand(
    {
      id: 'go.admin',
      label: 'Go to the administration',
      group: 'Go to',
      keys: 'g a',
      run: () => void navigate({ to: '/admin' }),
    },
    isOperator,
  );
  useCommand({
    id: 'new.issue',
    label: 'New issue',
    group: 'Create',
    keys: 'c',
    run: () => void navigate({ to: '/issues/new' }),
  });
  useCommand({
    id: 'new.repo',
    label: 'Add a repository',
    group: 'Create',
    run: () => void navigate({ to: '/repos/new' }),
  });
  useCommand({ id: 'palette', label: 'Search everything', group: 'Console', keys: '/', run: onPalette });
  useCommand({ id: 'shortcuts', label: 'Show the keyboard shortcuts', group: 'Console', keys: '?', run: onShortcuts });
  useCommand({ id: 'notifications', label: 'Notifications', group: 'Console', run: onNotifications });
  useCommand({ id: 'theme.light', label: 'Light theme', group: 'Console', run: () => setTheme('light') });
  useCommand({ id: 'theme.dark', label: 'Dark theme', group: 'Console', run: () => setTheme('dark') });
  useCommand({ id: 'theme.system', label: 'Theme of the system', group: 'Console', run: () => setTheme('system') });
  useCommand({ id: 'logout', label: 'Log out', group: 'Console', run: () => logOut.mutate() });
  const error = logOut.error ?? preferences.error;
  return (
    error !== null && (
      <div className={styles.banner}>
        <ErrorNotice error={error} />
      </div>
    )
  );
}
