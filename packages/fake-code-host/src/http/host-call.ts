import type { HostState } from '../state/host-state.ts';
import type { HostToken } from '../state/token-book.ts';
import type { HostAnswer } from './answer.ts';

/** A request as the work on it sees it. */
export interface HostCall {
  readonly host: HostState;
  readonly method: string;
  /** The path of the request, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw: Buffer;
  /** The fields of a JSON or form body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly token: HostToken | null;
}

type HostHandler = (call: HostCall) => HostAnswer | Promise<HostAnswer>;

/** Routes are written as `GET /repos/:owner/:repo`. */
export interface HostRoute {
  readonly route: string;
  readonly handle: HostHandler;
}

/** The parameters of a route that fits, or null. `target` is the method and the path. */
export function matchRoute(route: string, target: string): Record<string, string> | null {
  const wanted = route.split('/');
  const got = target.split('/');
  if (wanted.length !== got.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = got[index] ?? '';
    if (part.startsWith(':')) {
      if (value === '') return null;
      params[part.slice(1)] = decodeURIComponent(value);
    } else if (part !== value) {
      return null;
    }
  }
  return params;
}

export function stringField(call: HostCall, name: string): string | null {
  const value = call.body[name];
  return typeof value === 'string' ? value : null;
}
