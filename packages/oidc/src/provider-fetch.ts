// house-rule(host-names): pinned, but for the operator's issuer
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https'; // house-rule(host-names): the same
import { AppError } from '@sluice/core/error';
import { type HostResolver, isPublicAddress, pinnedLookup, renderUnresolved } from '@sluice/core/network';

const MAX_BYTES = 256 * 1_024; // documents, keys and tokens have a few kilobytes

export interface FetchRules {
  readonly issuer: URL;
  /** Whether hosts beside the issuer's may have private addresses: ALLOW_PRIVATE_HOSTS. */
  readonly allowPrivateHosts: boolean;
  /** The timeout of each request, with its body. */
  readonly timeoutMs: number;
  readonly hosts: HostResolver;
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
 * The operator has named the issuer, whose host may be private and is looked up by the system. All other addresses come from
 * its documents: those on another host must be https and public. Such a name is resolved once, and the connection goes to the
 * addresses that were checked. Redirects are returned and not followed, and no proxy is used.
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

/** Checks an address that the provider names. @throws AppError `oidc_unavailable` */
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
  const addresses = url.host === rules.issuer.host ? null : await checkedAddresses(rules, host, signal);
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
        ...(addresses === null ? {} : { lookup: pinnedLookup(addresses) }),
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

/** The addresses of a host that the documents of the provider name. */
async function checkedAddresses(rules: FetchRules, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const { issuer } = rules;
  const lookup = await rules.hosts.resolve(host, { owner: `oidc ${issuer.host}`, signal });
  if (lookup.kind === 'unresolved') {
    throw refused(`The provider at ${issuer.host} names ${host}, whose name ${renderUnresolved(lookup.reason)}.`);
  }
  if (!rules.allowPrivateHosts && !lookup.addresses.every(isPublicAddress)) {
    throw refused(`The provider at ${issuer.host} names an address that is not public. See ALLOW_PRIVATE_HOSTS.`);
  }
  return lookup.addresses;
}

function refused(detail: string): AppError {
  return new AppError('oidc_unavailable', { detail });
}
