import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { applyTheme } from '../browser/theme.ts';
import { createCommandRegistry } from '../commands/command-registry.ts';
import { Commands, useShortcuts } from '../commands/use-command.ts';
import { inboxQuery } from '../inbox/inbox-query.ts';
import { useLiveUpdates } from '../session/live-updates.ts';
import { preferencesQuery, usePreferences } from '../session/preferences.ts';
import { profileQuery } from '../session/queries.ts';
import { useOneAccount } from '../session/use-one-account.ts';
import { Notice } from '../ui/notice.tsx';
import { WaitingCount } from '../ui/page.tsx';
import hidden from '../ui/visually-hidden.module.css';
import { GlobalCommands } from './global-commands.tsx';
import waitingIcon from './icon-waiting.svg';
import { MainBar } from './main-bar.tsx';
import { type DialogName, OpenDialog } from './open-dialog.tsx';
import styles from './shell.module.css';
import { useDecisionNotifications } from './use-decision-notifications.ts';

/** The frame around every page of a session: where one can go, what the server is, and the page itself. */
export function Shell() {
  const [registry] = useState(createCommandRegistry);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const preferences = usePreferences();
  useShortcuts(registry, preferences.shortcuts && dialog === null); // a dialog may still be loading
  useTheme();
  usePaletteKey(() => setDialog((now) => (now === 'palette' ? null : 'palette')));
  const liveness = useLiveUpdates();
  const profile = useQuery(profileQuery).data;
  useOneAccount(profile?.id);
  const waitingIssues = useQuery({ ...inboxQuery(), select: ({ needs_you: needsYou }) => needsYou.items }).data;
  const waiting = waitingIssues?.length ?? 0;
  useFavicon(waiting > 0);
  useDecisionNotifications(waitingIssues, preferences.notifications);
  const isOperator = profile?.operator === true;
  return (
    <Commands value={registry}>
      <WaitingCount value={waiting}>
        <GlobalCommands
          isOperator={isOperator}
          onPalette={() => setDialog('palette')}
          onShortcuts={() => setDialog('shortcuts')}
          onNotifications={() => setDialog('notifications')}
        />
        <a className={styles.skip} href="#content">
          Skip to the content
        </a>
        <MainBar
          account={profile?.email ?? profile?.codehost_login ?? undefined}
          waiting={waiting}
          isOperator={isOperator}
          onPalette={() => setDialog('palette')}
          onNotifications={() => setDialog('notifications')}
        />
        {liveness === 'lost' && (
          <div className={styles.banner}>
            <Notice tone="warn">
              The connection to the server is lost. What you see may be old; it goes on by itself when the server is
              back.
            </Notice>
          </div>
        )}
        <main id="content" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
        <RouteAnnouncer />
        <OpenDialog name={dialog} onClose={() => setDialog(null)} />
      </WaitingCount>
    </Commands>
  );
}

function useTheme(): void {
  const theme = useQuery(preferencesQuery).data?.theme;
  useEffect(() => {
    if (theme !== undefined) applyTheme(theme);
  }, [theme]);
}

function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

/**
 * Does what a browser does when a page loads: after each navigation to another page the focus is at its heading, and a screen
 * reader hears its title.
 */
function RouteAnnouncer() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [title, setTitle] = useState('');
  const last = useRef<string>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = path;
    if (before === undefined || before === path) return;
    // The page has been drawn by then, and has its title.
    const frame = requestAnimationFrame(() => {
      focusPage();
      setTitle(document.title.replace(/^\(\d+\) /, ''));
    });
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return (
    <p className={hidden.hidden} aria-live="polite">
      {title}
    </p>
  );
}

function focusPage(): void {
  const content = document.getElementById('content');
  const chosen = document.activeElement;
  if (content?.contains(chosen) && chosen?.matches('input, textarea, select')) return; // the page has chosen a field itself
  const target = content?.querySelector('h1') ?? content;
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

/** Puts a dot on the icon of the tab while something waits for the user. */
function useFavicon(isWaiting: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null || !isWaiting) return;
    const icon = link.href;
    link.href = waitingIcon;
    return () => {
      link.href = icon;
    };
  }, [isWaiting]);
}
