import { AppError } from '../error/app-error.ts';

/**
 * A parsed repository address. `local` is a path on this host, which the operator must allow. The adapter decides whether
 * the path or host may be reached, because that needs the file system and DNS.
 */
export type RepoAddress =
  | {
      readonly kind: 'https';
      readonly url: string;
      readonly canonical: string;
      readonly name: string;
      readonly host: string;
    }
  | { readonly kind: 'local'; readonly path: string; readonly name: string };

const MAX_LENGTH = 2_000;

/**
 * Parses a repository address: an `https://` URL without credentials, a `file://` URL or an absolute path.
 *
 * @throws AppError `remote_refused` with the fault and the remedy
 */
export function parseRepoAddress(text: string): RepoAddress {
  const given = text.trim();
  if (given === '' || given.length > MAX_LENGTH || /\p{Cc}/u.test(given)) {
    throw refused('Give an https:// URL, such as https://example.com/owner/name.');
  }
  if (given.startsWith('/')) return local(given);
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw refused('This is neither an https:// URL nor an absolute path.');
  }
  if (url.protocol === 'file:') return local(filePath(url));
  if (url.protocol !== 'https:') throw refused(`The scheme ${url.protocol}// is not supported: give an https:// URL.`);
  if (url.username !== '' || url.password !== '') {
    throw refused('The URL holds credentials: send them as access_token instead.');
  }
  if (url.search !== '' || url.hash !== '') throw refused('The URL must not have a query or a fragment.');
  return https(url);
}

/** Whether an address is a path on this host. */
export function isLocalAddress(text: string): boolean {
  try {
    return parseRepoAddress(text).kind === 'local';
  } catch {
    return false;
  }
}

function https(url: URL): RepoAddress {
  const path = url.pathname.replace(/\/+$/, '');
  const segments = path
    .replace(/\.git$/i, '')
    .split('/')
    .filter((segment) => segment !== '');
  if (segments.length === 0) throw refused('The URL names a host but no repository.');
  return {
    kind: 'https',
    url: `https://${url.host}${path}`,
    canonical: `https://${url.host.replace(/\.(?=:|$)/, '')}/${segments.map(canonicalSegment).join('/')}`,
    name: segments.slice(-2).join('/'),
    host: url.hostname,
  };
}

/** The address of a repository that the code host renamed to `fullName`. */
export function renamedAddress(
  { url, canonicalRemote }: { readonly url: string; readonly canonicalRemote: string },
  fullName: string,
): { readonly url: string; readonly canonicalRemote: string } {
  const renamed = (address: string, name: string) => address.replace(/\/+$/, '').replace(/[^/]+\/[^/]+$/, () => name);
  const canonicalName = fullName.split('/').map(canonicalSegment).join('/');
  return { url: renamed(url, fullName), canonicalRemote: renamed(canonicalRemote, canonicalName) };
}

/** The canonical spelling of a segment: `%6Eame`, `Name` and `name` are the same repository. */
function canonicalSegment(segment: string): string {
  return encodeURIComponent(decoded(segment).toLowerCase()).toLowerCase();
}

function filePath(url: URL): string {
  if (url.host !== '' && url.host !== 'localhost')
    throw refused('A file:// URL must not name a host: give file:///path.');
  if (url.search !== '' || url.hash !== '') throw refused('The URL must not have a query or a fragment.');
  const path = decoded(url.pathname);
  if (/\p{Cc}/u.test(path)) throw refused('The path holds control characters.');
  return path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('The URL holds a broken percent-encoding.');
  }
}

function local(path: string): RepoAddress {
  const trimmed = path.replace(/\/+$/, '');
  if (trimmed === '') throw refused('The path names no repository.');
  return {
    kind: 'local',
    path: trimmed,
    name: trimmed.split('/').at(-1) ?? trimmed,
  };
}

function refused(detail: string): AppError {
  return new AppError('remote_refused', {
    detail,
    errors: [{ path: 'url', message: detail }],
  });
}
