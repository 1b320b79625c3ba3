import type { ApiOptions } from '../service/api-deps.ts';
import { FLOW_TTL_MS } from './flow-tokens.ts';

const PLAIN_PREFIX = 'codehost_flow_';
const NONCE_PART = 8;
/** Two tabs may sign in at the same time; more than a few flows were abandoned. */
const MOST_FLOWS = 4;

/**
 * Under https the cookie has the prefix `__Host-`: browsers accept it from this host only, so that no sibling domain can
 * plant one. The plain name is not read there, or it would bypass the prefix. Under http, browsers refuse the prefix.
 */
function prefixOf({ publicUrl }: ApiOptions): string {
  return isHttps(publicUrl) ? `__Host-${PLAIN_PREFIX}` : PLAIN_PREFIX;
}

function isHttps(publicUrl: URL): boolean {
  return publicUrl.protocol === 'https:';
}

/** Each flow has its own cookie, named after its nonce. */
function nameOf(options: ApiOptions, nonce: string): string {
  return prefixOf(options) + nonce.slice(0, NONCE_PART);
}

/** The `Set-Cookie` value that stores a flow's secret in the browser. Lax: the code host's redirect must send it. */
export function flowCookie(options: ApiOptions, nonce: string, token: string): string {
  return `${nameOf(options, nonce)}=${token}; Max-Age=${FLOW_TTL_MS / 1_000}; ${attributes(options)}`;
}

/** The `Set-Cookie` value that ends it. */
export function endedFlowCookie(options: ApiOptions, nonce: string): string {
  return ended(options, nameOf(options, nonce));
}

/** The secret's token of one flow in the request's `Cookie` header, or null. */
export function readFlowCookie(options: ApiOptions, header: string | undefined, nonce: string): string | null {
  const own = nameOf(options, nonce);
  return flowCookies(options, header).find(({ name }) => name === own)?.value ?? null;
}

/** `Set-Cookie` values that make room for another flow: browsers send the oldest cookie first (RFC 6265 5.4). */
export function endedEarlierFlows(options: ApiOptions, header: string | undefined): string[] {
  const names = [...new Set(flowCookies(options, header).map(({ name }) => name))];
  return names.slice(0, Math.max(0, names.length - MOST_FLOWS + 1)).map((name) => ended(options, name));
}

function flowCookies(options: ApiOptions, header: string | undefined): { name: string; value: string }[] {
  const prefix = prefixOf(options);
  return (header?.split(';') ?? []).flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    const isFlow = name.startsWith(prefix) && name.length === prefix.length + NONCE_PART;
    return isFlow ? [{ name, value: pair.slice(at + 1).trim() }] : [];
  });
}

function ended(options: ApiOptions, name: string): string {
  return `${name}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(options)}`;
}

/** `__Host-` asks for `Secure`, for the whole path, and for no domain. */
function attributes({ publicUrl }: ApiOptions): string {
  return isHttps(publicUrl)
    ? 'Path=/; HttpOnly; SameSite=Lax; Secure'
    : 'Path=/api/auth/codehost; HttpOnly; SameSite=Lax';
}
