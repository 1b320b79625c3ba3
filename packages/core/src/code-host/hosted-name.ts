import { AppError } from '../error/app-error.ts';

/**
 * `owner/name`, by which the code host knows a repository. Made of an address by `hostedNameAt` and of what users write by
 * `parseHostedName`, so no other string is taken for one.
 */
export type HostedName = `${string}/${string}`;

/**
 * The name of the repository at `url` when the host's own address is `web`, which may have a path. Null unless exactly an
 * owner and a name follow that address: the last two parts of a longer path name another repository.
 */
export function hostedNameAt(web: string, url: string): HostedName | null {
  const host = placeOf(web);
  const repo = placeOf(url.replace(/\/+$/, '').replace(/\.git$/i, ''));
  if (host === null || repo?.origin !== host.origin) return null;
  const above = repo.segments.slice(0, host.segments.length);
  if (above.join('/').toLowerCase() !== host.segments.join('/').toLowerCase()) return null;
  const [owner, name, ...more] = repo.segments.slice(host.segments.length);
  return owner === undefined || name === undefined || more.length > 0 ? null : `${owner}/${name}`;
}

/**
 * Reads a name at the code host, such as `acme/shop`.
 *
 * @throws AppError `repo_nested_group` unless `text` has exactly two parts
 */
export function parseHostedName(text: string): HostedName {
  const [owner, name, ...more] = text.split('/');
  if (!owner || !name || more.length > 0) throw nestedGroup(text);
  return `${owner}/${name}`;
}

/** The refusal of a repository in a nested group. @param what a name or an address */
export function nestedGroup(what: string): AppError {
  const detail = `${what} is not an owner and a name at the code host. Register a repository of a nested group by its URL.`;
  return new AppError('repo_nested_group', { detail });
}

/** Null for an address that is none, or whose segments do not say where they end. */
function placeOf(address: string): { readonly origin: string; readonly segments: readonly string[] } | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host, pathname } = new URL(address);
  try {
    const segments = pathname
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
    const isPlain = segments.every((segment) => !segment.includes('/'));
    return isPlain ? { origin: `${protocol}//${host.replace(/\.(?=:|$)/, '')}`, segments } : null;
  } catch {
    return null; // a broken percent-encoding
  }
}
