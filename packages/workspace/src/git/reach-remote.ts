import { isIP, isIPv6 } from 'node:net';
import { AppError } from '@sluice/core/error';
import { type HostQuestion, type HostResolver, isPublicAddress, renderUnresolved } from '@sluice/core/network';
import { parseRepoAddress, type RepoAddress } from '@sluice/core/repo';
import type { RepoAccess } from '@sluice/core/workspace';
import { findLocalRepository } from './local-repository.ts';
import type { ReachedRemote } from './reached-remote.ts';

/** What remotes the operator allows. */
export interface RemotePolicy {
  /** Whether a path on this host may be a repository. */
  readonly allowLocalRepos: boolean;
  /** Whether a host may resolve to a loopback, link-local, private or otherwise special address. */
  readonly allowPrivateHosts: boolean;
  /** Whether `http://` is taken as well; the token then travels in the clear. Default false. */
  readonly allowInsecureHttp?: boolean;
  /**
   * Origins that the operator configured, such as the code host's. They may have any address, which git looks up itself, and
   * `http://` if configured so. The whole origin must match, so another port of the same machine is not trusted.
   */
  readonly trustedOrigins?: readonly string[];
  /** Folders in which no local repository may lie or have its objects: the service's own data. */
  readonly forbiddenRoots?: readonly string[];
  readonly hosts: HostResolver;
}

/**
 * Checks that a remote may be reached, and fixes the addresses at which it will be: a name that changes its mind
 * between this check and the call has no effect. Done again before every call.
 *
 * @throws AppError `remote_refused` when the operator does not allow it, `remote_unreachable` when its name is unknown
 */
export async function reachRemote(
  policy: RemotePolicy,
  { url, userId }: Pick<RepoAccess, 'url' | 'userId'>,
  signal: AbortSignal,
): Promise<ReachedRemote> {
  const insecure = (policy.allowInsecureHttp === true || isTrusted(policy, url)) && /^http:\/\//i.test(url.trim());
  const address = parseRepoAddress(insecure ? url.trim().replace(/^http:/i, 'https:') : url);
  if (address.kind === 'local') {
    if (!policy.allowLocalRepos) {
      throw refused('Repositories on this server are not allowed: its operator can set ALLOW_LOCAL_REPOS.');
    }
    return findLocalRepository(address, policy.forbiddenRoots ?? []);
  }
  const { url: named, canonical, name } = insecure ? withHttp(address) : address;
  const pin = isTrusted(policy, named) ? null : await pinOf(policy, new URL(named), { owner: userId, signal });
  return { kind: 'http', url: named, canonical, name, origin: new URL(named).origin, pin };
}

function isTrusted({ trustedOrigins = [] }: RemotePolicy, url: string): boolean {
  return URL.canParse(url.trim()) && trustedOrigins.includes(new URL(url.trim()).origin);
}

type HostAddress = Extract<RepoAddress, { kind: 'https' }>;

function withHttp(address: HostAddress): HostAddress {
  const swap = (text: string): string => text.replace(/^https:/, 'http:');
  return { ...address, url: swap(address.url), canonical: swap(address.canonical) };
}

/** The addresses for git, all of which are allowed; null where the host is an address itself. */
async function pinOf(policy: RemotePolicy, url: URL, question: HostQuestion): Promise<string | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // curl drops the dot before it looks for a pinned address, and would then ask the resolver again.
  if (host.endsWith('.')) throw refused('Give the name of the server without a dot at its end.');
  const lookup = await policy.hosts.resolve(host, question);
  if (lookup.kind === 'unresolved') {
    const detail = `The name of the server ${renderUnresolved(lookup.reason)}.`;
    throw new AppError('remote_unreachable', { detail });
  }
  if (!policy.allowPrivateHosts && !lookup.addresses.every(isPublicAddress)) {
    throw refused(
      'The server of this repository has an address that is not on the public internet: its operator can set ALLOW_PRIVATE_HOSTS.',
    );
  }
  if (isIP(host) !== 0) return null;
  const port = url.port !== '' ? url.port : url.protocol === 'http:' ? '80' : '443';
  return `${host}:${port}:${lookup.addresses.map((one) => (isIPv6(one) ? `[${one}]` : one)).join(',')}`;
}

function refused(detail: string): AppError {
  return new AppError('remote_refused', { detail, errors: [{ path: 'url', message: detail }] });
}
