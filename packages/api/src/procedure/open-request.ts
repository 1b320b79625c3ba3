import type { IncomingMessage, ServerResponse } from 'node:http';
import { queryOf } from '../http/request-target.ts';
import { findActor } from '../session/find-actor.ts';
import { admitCaller, type Caller } from './admit-caller.ts';
import type { Actor, ApiService, RequestContext } from './request-context.ts';

/** What is known of a request from its head alone. */
export interface OpenRequest {
  readonly requestId: string;
  readonly caller: Caller;
  /** The context of a call in this request; the session and the limits are looked at as the call says. */
  contextOf(admit?: RequestContext['admit']): RequestContext;
}

/** Made once for a request, before anything of its body is read. */
export function openRequest(
  service: ApiService,
  request: { req: IncomingMessage; res: ServerResponse },
  head: { requestId: string; ip: string },
): OpenRequest {
  const { req, res } = request;
  const { requestId } = head;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  let found: Promise<Actor | null> | null = null;
  const caller: Caller = {
    ip: head.ip,
    actor: () => {
      found ??= findActor(service, req.headers.cookie);
      return found;
    },
  };
  return {
    requestId,
    caller,
    contextOf: (admit = (meta) => admitCaller(service, caller, meta)) => ({
      ...service,
      requestId,
      head: {
        userAgent: req.headers['user-agent'],
        cookie: req.headers.cookie,
        query: queryOf(req.url),
        origin: req.headers.origin,
        fetchSite: req.headers['sec-fetch-site']?.toString(),
        idempotencyKey: req.headers['idempotency-key']?.toString(),
        wantsPage: wantsPage(req.headers.accept),
        actor: caller.actor,
      },
      signal: gone.signal,
      admit,
      appendHeader: (name, value) => {
        res.appendHeader(name, value);
      },
      hangUp: () => res.destroy(),
    }),
  };
}

/** A browser that goes somewhere names HTML and no JSON; a program that takes both is a program. */
function wantsPage(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes('application/json');
}
