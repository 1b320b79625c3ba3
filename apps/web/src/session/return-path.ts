import { keepText } from '../browser/kept-text.ts';
import { tabStorage } from '../browser/page-storage.ts';

const HERE = 'http://console.invalid';

/** The path to which a login leads back: of this console, never another site or a page of the login itself. */
export function returnPath(target: string | undefined): string {
  if (target === undefined || !target.startsWith('/') || !URL.canParse(target, HERE)) return '/issues';
  // The path as a browser reads it: without tabs and line ends, `\` as `/`, and `..` resolved.
  const { origin, pathname, search, hash } = new URL(target, HERE);
  if (origin !== HERE || /^\/(?:\/|(?:login|register)(?:\/|$))/.test(pathname)) return '/issues';
  return `${pathname}${search}${hash}`;
}

const KEY = 'sluice.return';

/** Keeps where the user was while they are at the code host, in this tab alone. */
export function keepReturnPath(path: string | undefined): void {
  keepText(tabStorage, KEY, path ?? '');
}

/** The path that was kept, once. */
export function takeReturnPath(): string | null {
  const path = tabStorage.getItem(KEY);
  tabStorage.removeItem(KEY);
  return path === null ? null : returnPath(path);
}
