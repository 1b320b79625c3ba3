// house-rule(host-names): pinned
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https'; // house-rule(host-names): the same
import { type HostResolver, isPublicAddress, pinnedLookup, renderUnresolved } from '@sluice/core/network';
import {
  type AttemptResult,
  NOT_PUBLIC,
  type NotificationAddress,
  notificationAddress,
} from '@sluice/core/notification';

/** Where webhooks may be sent. */
export interface WebhookRules {
  /** NOTIFY_ALLOW_HOSTS. */
  readonly allowHosts: readonly string[];
  readonly hosts: HostResolver;
}

export interface WebhookRequest {
  /** The id of the user whose webhook it is. */
  readonly userId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer is of no interest beyond its status. More than this is not read. */
const MAX_BYTES = 4_096;

/**
 * Posts to a webhook. The name is resolved once: every address must be allowed, and the connection goes to one of those, so a
 * name that changes its mind reaches nothing. Redirects are not followed, and no proxy is used.
 *
 * @throws the signal's reason when it fires first
 */
export async function postWebhook(
  rules: WebhookRules,
  { userId, url, headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const began = performance.now();
  const refused = (reason: string, of: Partial<Extract<AttemptResult, { kind: 'refused' }>> = {}): AttemptResult => ({
    kind: 'refused',
    status: null,
    latencyMs: performance.now() - began,
    reason,
    retry: 'later',
    retryAfterMs: null,
    ...of,
  });
  const address = notificationAddress(url, rules.allowHosts);
  if (typeof address === 'string') return refused(`The URL ${address}.`);
  try {
    const lookup = await rules.hosts.resolve(address.host, { owner: userId, signal });
    if (lookup.kind === 'unresolved') return refused(`The name of the receiver ${renderUnresolved(lookup.reason)}.`);
    const { addresses } = lookup;
    if (!address.mayBePrivate && !addresses.every(isPublicAddress)) return refused(`The URL ${NOT_PUBLIC}.`);
    const response = await send({ address, addresses, headers, body }, signal);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return { kind: 'accepted', status, latencyMs: performance.now() - began };
    return refused(reasonOf(response, address.url), {
      status,
      retry: status === 410 ? 'gone' : 'later',
      retryAfterMs: retryAfterMs(response.headers['retry-after']),
    });
  } catch (error) {
    signal.throwIfAborted();
    return refused(networkReason(error));
  }
}

interface CheckedRequest extends Pick<WebhookRequest, 'headers' | 'body'> {
  readonly address: NotificationAddress;
  /** Checked. */
  readonly addresses: readonly string[];
}

function send({ address, addresses, headers, body }: CheckedRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, host, port } = address;
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const posting = request(
      {
        host,
        port,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
        lookup: pinnedLookup(addresses),
        // The global agent may be set to a proxy, and keeps connections.
        agent: false,
        signal,
      },
      (response) => {
        discard(response);
        resolve(response);
      },
    );
    posting.on('error', reject);
    posting.end(body);
  });
}

function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) response.destroy();
  });
  response.on('error', () => undefined); // it was cut off, or the attempt's time is over
}

function reasonOf({ headers, statusCode: status = 0 }: IncomingMessage, from: URL): string {
  if (status === 410) return 'The receiver answered 410: it wants no deliveries any more.';
  if (status < 300 || status >= 400) return `The receiver answered ${status}.`;
  const { location = '' } = headers;
  // Its path is often that of the URL, with the secret of a chat, and reasons are stored in the clear.
  const where = location !== '' && URL.canParse(location, from) ? ` to ${new URL(location, from).origin}` : '';
  return `The receiver answered ${status}, a redirect${where}. Redirects are not followed: set the URL that it leads to.`;
}

/** A number of seconds or a date (RFC 9110 10.2.3). */
function retryAfterMs(value: string | undefined): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : null;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection without an answer.',
  ETIMEDOUT: 'The receiver could not be reached in time.',
  EHOSTUNREACH: 'The receiver cannot be reached from this server.',
  ENETUNREACH: 'The receiver cannot be reached from this server.',
};

function networkReason(error: unknown): string {
  const code = codeOf(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) return `The certificate of the receiver is not valid (${code}).`;
  return reasons[code] ?? `The receiver could not be reached${code === '' ? '' : ` (${code})`}.`;
}

/** Connecting to several addresses fails with the errors of all of them. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}
