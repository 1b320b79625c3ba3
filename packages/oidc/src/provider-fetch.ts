import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { AppError, isPublicAddress, pinnedLookup, untilAborted } from '@sluice/core';

const MAX_BYTES = 256 * 1_024; // documents, keys and tokens have a few kilobytes

export interface FetchRules {
  readonly issuer: URL;
  /** Whether hosts beside the issuer's may have private addresses: ALLOW_PRIVATE_HOSTS. */
  readonly allowPrivateHosts: boolean;
  /** For each request, with its body. */
  readonly timeoutMs: number;
  /** The addresses of a host name. Default: the system's resolver. */
  readonly resolveHost?: ((host: string) => Promise<readonly string[]>) | undefined;
}

export interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to an address of the provider and reads the whole response, in bounded time and memory.
 *
 * The operator has named the issuer, whose host may be private. All other addresses come from its documents: those on another
 * host must be https and public. The name is resolved once, and the connection goes to the addresses that were checked.
 * Redirects are returned and not followed, and no proxy is used.
 *
 * @throws AppError `oidc_unavailable`; the reason of `signal` when that ends it
 */
export async function fetchFromProvider(rules: FetchRules, url: string, request: ProviderRequest): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(rules.timeoutMs);
  try {
    return await send(rules, new URL(url), { ...request, signal: AbortSignal.any([signal, deadline]) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const detail = deadline.aborted
      ? `The provider at ${rules.issuer.host} did not respond within ${rules.timeoutMs / 1_000} seconds.`
      : `The provider at ${rules.issuer.host} could not be reached.`;
    throw new AppError('oidc_unavailable', { detail }, { cause: error });
  }
}

/** @throws AppError `oidc_unavailable` */
export function requireAllowed({ issuer }: Pick<FetchRules, 'issuer'>, url: URL): void {
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && url.origin === issuer.origin);
  if (!isSafe || url.username !== '' || url.password !== '') {
    throw refused(`The provider at ${issuer.host} names an address that is not https.`);
  }
}

async function send(
  rules: FetchRules,
  url: URL,
  { method, headers, body, signal }: ProviderRequest,
): Promise<Response> {
  requireAllowed(rules, url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const resolveHost = rules.resolveHost ?? systemAddresses;
  const addresses = isIP(host) === 0 ? await untilAborted(resolveHost(host), signal) : [host];
  const mayBePrivate = rules.allowPrivateHosts || url.host === rules.issuer.host;
  if (!mayBePrivate && !addresses.every(isPublicAddress)) {
    throw refused(`The provider at ${rules.issuer.host} names an address that is not public. See ALLOW_PRIVATE_HOSTS.`);
  }
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return await new Promise((resolve, reject) => {
    const sending = open(
      {
        host,
        port: url.port === '' ? undefined : url.port,
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          ...headers,
          host: url.host,
          ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        lookup: pinnedLookup(addresses),
        agent: false,
        signal,
      },
      (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          parts.push(part);
          if (size > MAX_BYTES) response.destroy(refused('The response of the provider is too large.'));
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 502 } = response;
          const type = response.headers['content-type'];
          const challenge = response.headers['www-authenticate'];
          resolve(
            new Response([204, 205, 304].includes(statusCode) ? null : Buffer.concat(parts), {
              status: statusCode,
              headers: {
                ...(type === undefined ? {} : { 'content-type': type }),
                ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
              },
            }),
          );
        });
      },
    );
    sending.on('error', reject);
    sending.end(body ?? undefined);
  });
}

function refused(detail: string): AppError {
  return new AppError('oidc_unavailable', { detail });
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
