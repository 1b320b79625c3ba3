import type { ApiOptions } from '../../service/api-deps.ts';
import { FLOW_TTL_MS } from './flow-tokens.ts';

/** The services at which users sign in: the cookies of one are not read for another. */
export type FlowService = 'codehost' | 'oidc';

/** Where a flow's cookies belong. */
interface FlowPlace {
  readonly options: ApiOptions;
  readonly service: FlowService;
}

const NONCE_PART = 8;
/** Two tabs may sign in at the same time; more than a few flows were abandoned. */
const MAX_FLOWS = 4;

/**
 * Under https the cookie has the prefix `__Host-`: browsers accept it from this host only, so that no sibling domain can
 * plant one. The plain name is not read there, or it would bypass the prefix. Under http, browsers refuse the prefix.
 */
function prefixOf({ options, service }: FlowPlace): string {
  return `${isHttps(options.publicUrl) ? '__Host-' : ''}${service}_flow_`;
}

function isHttps(publicUrl: URL): boolean {
  return publicUrl.protocol === 'https:';
}

/** Each flow has its own cookie, named after its nonce. */
function nameOf(place: FlowPlace, nonce: string): string {
  return prefixOf(place) + nonce.slice(0, NONCE_PART);
}

/** The `Set-Cookie` value that stores a flow's secret in the browser. Lax: the redirect back must send it. */
export function flowCookie(place: FlowPlace, nonce: string, token: string): string {
  return `${nameOf(place, nonce)}=${token}; Max-Age=${FLOW_TTL_MS / 1_000}; ${attributes(place)}`;
}

/** The `Set-Cookie` value that ends it. */
export function endedFlowCookie(place: FlowPlace, nonce: string): string {
  return ended(place, nameOf(place, nonce));
}

/** The secret's token of one flow in the request's `Cookie` header, or null. */
export function readFlowCookie(place: FlowPlace, header: string | undefined, nonce: string): string | null {
  const own = nameOf(place, nonce);
  return flowCookies(place, header).find(({ name }) => name === own)?.value ?? null;
}

/** `Set-Cookie` values that make room for another flow: browsers send the oldest cookie first (RFC 6265 5.4). */
export function endedEarlierFlows(place: FlowPlace, header: string | undefined): string[] {
  const names = [...new Set(flowCookies(place, header).map(({ name }) => name))];
  return names.slice(0, Math.max(0, names.length - MAX_FLOWS + 1)).map((name) => ended(place, name));
}

function flowCookies(place: FlowPlace, header: string | undefined): { name: string; value: string }[] {
  const prefix = prefixOf(place);
  return (header?.split(';') ?? []).flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    const isFlow = name.startsWith(prefix) && name.length === prefix.length + NONCE_PART;
    return isFlow ? [{ name, value: pair.slice(at + 1).trim() }] : [];
  });
}

function ended(place: FlowPlace, name: string): string {
  return `${name}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(place)}`;
}

/** `__Host-` asks for `Secure`, for the whole path, and for no domain. */
function attributes({ options, service }: FlowPlace): string {
  return isHttps(options.publicUrl)
    ? 'Path=/; HttpOnly; SameSite=Lax; Secure'
    : `Path=/api/auth/${service}; HttpOnly; SameSite=Lax`;
}
