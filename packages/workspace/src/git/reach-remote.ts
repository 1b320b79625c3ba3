import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { AppError, isPublicAddress, parseRepoAddress, type RepoAddress } from '@sluice/core';
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
   * Origins that the operator configured, such as the code host's. They may have any address, and `http://` if configured
   * so. The whole origin must match, so another port of the same machine is not trusted.
   */
  readonly trustedOrigins?: readonly string[];
  /** Folders in which no local repository may lie or have its objects: the service's own data. */
  readonly forbiddenRoots?: readonly string[];
  /** The addresses of a host name. Default: the system's resolver. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
}

const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * Checks that a remote may be reached, and fixes the addresses at which it will be: a name that changes its mind
 * between this check and the call has no effect. Done again before every call.
 *
 * @throws AppError `remote_refused` when the operator does not allow it, `remote_unreachable` when its name is unknown
 */
export async function reachRemote(policy: RemotePolicy, url: string, signal: AbortSignal): Promise<ReachedRemote> {
  const insecure = (policy.allowInsecureHttp === true || isTrusted(policy, url)) && /^http:\/\//i.test(url.trim());
  const address = parseRepoAddress(insecure ? url.trim().replace(/^http:/i, 'https:') : url);
  if (address.kind === 'local') {
    if (!policy.allowLocalRepos) {
      throw refused('Repositories on this server are not allowed: its operator can set ALLOW_LOCAL_REPOS.');
    }
    return findLocalRepository(address, policy.forbiddenRoots ?? []);
  }
  return reachHost(policy, insecure ? withHttp(address) : address, signal);
}

function isTrusted({ trustedOrigins = [] }: RemotePolicy, url: string): boolean {
  return URL.canParse(url.trim()) && trustedOrigins.includes(new URL(url.trim()).origin);
}

type HostAddress = Extract<RepoAddress, { kind: 'https' }>;

function withHttp(address: HostAddress): HostAddress {
  const swap = (text: string): string => text.replace(/^https:/, 'http:');
  return { ...address, url: swap(address.url), canonical: swap(address.canonical) };
}

async function reachHost(policy: RemotePolicy, address: HostAddress, signal: AbortSignal): Promise<ReachedRemote> {
  const parsed = new URL(address.url);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  // curl drops the dot before it looks for a pinned address, and would then ask the resolver again.
  if (host.endsWith('.')) throw refused('Give the name of the server without a dot at its end.');
  const literal = isIP(host) !== 0;
  const addresses = literal ? [host] : await resolve(policy, host, signal);
  const anywhere = policy.allowPrivateHosts || isTrusted(policy, address.url);
  if (!anywhere && !addresses.every(isPublicAddress)) {
    throw refused(
      'The server of this repository has an address that is not on the public internet: its operator can set ALLOW_PRIVATE_HOSTS.',
    );
  }
  const port = parsed.port !== '' ? parsed.port : parsed.protocol === 'http:' ? '80' : '443';
  const pinned = addresses.map((one) => (isIPv6(one) ? `[${one}]` : one)).join(',');
  return {
    kind: 'http',
    url: address.url,
    canonical: address.canonical,
    name: address.name,
    origin: parsed.origin,
    pin: literal ? null : `${host}:${port}:${pinned}`,
  };
}

async function resolve(policy: RemotePolicy, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const ask = policy.resolveHost ?? systemAddresses;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)]);
  const unresolved = (cause: unknown): AppError =>
    new AppError('remote_unreachable', { detail: 'The name of the server could not be resolved.' }, { cause });
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.aborted ? signal.reason : unresolved(limit.reason));
    limit.addEventListener('abort', onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    const addresses = await Promise.race([
      ask(host).catch((cause: unknown) => {
        throw unresolved(cause);
      }),
      ended,
    ]);
    if (addresses.length === 0) throw unresolved(undefined);
    return addresses;
  } finally {
    if (onAbort !== undefined) limit.removeEventListener('abort', onAbort);
  }
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function refused(detail: string): AppError {
  return new AppError('remote_refused', { detail, errors: [{ path: 'url', message: detail }] });
}
