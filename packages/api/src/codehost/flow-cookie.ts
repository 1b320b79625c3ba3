import type { ApiOptions } from '../api-deps.ts';
import { FLOW_TTL_MS } from './flow-tokens.ts';

const PREFIX = 'codehost_flow_';
/** Two tabs may sign in at the same time; more than a few are flows that nobody finished. */
const MOST_FLOWS = 4;

/** Each flow has a cookie of its own, named by its nonce. */
function nameOf(nonce: string): string {
  return PREFIX + nonce.slice(0, 8);
}

/** The `Set-Cookie` value that keeps a flow's secret in the browser. Lax: the code host's redirect must bring it. */
export function flowCookie({ publicUrl }: ApiOptions, nonce: string, token: string): string {
  return `${nameOf(nonce)}=${token}; Max-Age=${FLOW_TTL_MS / 1_000}; ${attributes(publicUrl)}`;
}

/** The `Set-Cookie` value that ends it. */
export function endedFlowCookie(options: ApiOptions, nonce: string): string {
  return ended(options, nameOf(nonce));
}

/** The secret's token of one flow in a `Cookie` header, or null. */
export function readFlowCookie(header: string | undefined, nonce: string): string | null {
  return flowCookies(header).find(({ name }) => name === nameOf(nonce))?.value ?? null;
}

/** `Set-Cookie` values that make room for another flow: browsers send the oldest cookie first (RFC 6265 5.4). */
export function endedEarlierFlows(options: ApiOptions, header: string | undefined): string[] {
  const names = [...new Set(flowCookies(header).map(({ name }) => name))];
  return names.slice(0, Math.max(0, names.length - MOST_FLOWS + 1)).map((name) => ended(options, name));
}

function flowCookies(header: string | undefined): { name: string; value: string }[] {
  return (header?.split(';') ?? []).flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    return /^codehost_flow_[\w-]{8}$/.test(name) ? [{ name, value: pair.slice(at + 1).trim() }] : [];
  });
}

function ended({ publicUrl }: ApiOptions, name: string): string {
  return `${name}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(publicUrl)}`;
}

function attributes(publicUrl: URL): string {
  const secure = publicUrl.protocol === 'https:' ? '; Secure' : '';
  return `Path=/api/auth/codehost; HttpOnly; SameSite=Lax${secure}`;
}
