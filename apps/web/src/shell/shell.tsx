import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { createCommandRegistry } from '../commands/command-registry.ts';
import { Commands } from '../commands/use-command.ts';
import { useShortcuts } from '../commands/use-shortcuts.ts';
import { useLiveUpdates } from '../session/live-updates.ts';
import { profileQuery } from '../session/queries.ts';
import { Notice } from '../ui/notice.tsx';
import { ServerChips } from './server-chips.tsx';
import styles from './shell.module.css';

/** The frame around every page of a session: where one can go, what the server is, and the page itself. */
export function Shell() {
  const [registry] = useState(createCommandRegistry);
  useShortcuts(registry, true);
  const liveness = useLiveUpdates();
  const profile = useQuery(profileQuery);
  return (
    <Commands value={registry}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.bar}>
        <Link to="/issues" className={styles.brand}>
          Sluice
        </Link>
        <nav className={styles.nav} aria-label="Main">
          <Link to="/issues" className={styles.link} activeOptions={{ includeSearch: false }}>
            Inbox
          </Link>
          <Link to="/repos" className={styles.link}>
            Repositories
          </Link>
          <Link to="/settings" className={styles.link} title={profile.data?.email ?? undefined}>
            Settings
          </Link>
        </nav>
        <ServerChips />
      </header>
      {liveness === 'lost' && (
        <div className={styles.banner}>
          <Notice tone="warn">
            The connection to the server is lost. What you see may be old; it goes on by itself when the server is back.
          </Notice>
        </div>
      )}
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </Commands>
  );
}
