import { useEffect, useRef } from 'react';

/** Between the tabs of this browser. One for the page: it does not hear itself. */
const channel = new BroadcastChannel('sluice.account');

/** Tells the other tabs who is logged in now; null without a session. The session is a cookie, which all of them share. */
export function tellAccount(id: string | null): void {
  channel.postMessage(id);
}

/** Leads to a path of the console once another tab has a session, from a page that waits for a login. */
export function useSessionElsewhere(path: string | null): void {
  useEffect(() => {
    const hear = ({ data }: MessageEvent) => {
      if (data !== null && path !== null) location.assign(path);
    };
    channel.addEventListener('message', hear);
    return () => channel.removeEventListener('message', hear);
  }, [path]);
}

/**
 * Keeps the page to one account. When another one is logged in, here or in another tab, the page reloads: what it shows
 * is the first one's, and what it would send is the other one's.
 */
export function useOneAccount(id: string | undefined): void {
  const first = useRef(id);
  useEffect(() => {
    if (id === undefined) return;
    first.current ??= id;
    if (id !== first.current) {
      location.reload();
      return;
    }
    const hear = ({ data }: MessageEvent) => {
      if (data !== id) location.reload();
    };
    channel.addEventListener('message', hear);
    tellAccount(id);
    return () => channel.removeEventListener('message', hear);
  }, [id]);
}
