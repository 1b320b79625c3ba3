import type { Request, Response } from 'express';
import { queryOf } from '../http/request-target.ts';
import { type Actor, findActor } from '../session/actor.ts';
import { admitCaller } from './admit-caller.ts';
import { plainAddress } from './client-network.ts';
import type { ApiService, RequestContext } from './request-context.ts';

/** Makes the context of one request from its head alone: nothing of its body has been read yet. */
export function openRequest(service: ApiService, { req, res }: { req: Request; res: Response }): RequestContext {
  const { noteSeen, limiter, ...rest } = service;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  let found: Promise<Actor | null> | null = null;
  const actor = () => {
    found ??= findActor(service, req.headers.cookie);
    return found;
  };
  return {
    ...rest,
    requestId: String(res.getHeader('X-Request-Id')),
    head: {
      userAgent: req.headers['user-agent'],
      cookie: req.headers.cookie,
      query: queryOf(req.url),
      origin: req.headers.origin,
      fetchSite: req.headers['sec-fetch-site']?.toString(),
      idempotencyKey: req.headers['idempotency-key']?.toString(),
      wantsPage: wantsPage(req.headers.accept),
      actor,
    },
    signal: gone.signal,
    admit: (meta) => admitCaller({ limiter }, { ip: plainAddress(req.ip), actor }, meta),
    appendHeader: (name, value) => {
      res.appendHeader(name, value);
    },
    hangUp: () => res.destroy(),
  };
}

/** A browser that opens a page accepts HTML and not JSON; a client that accepts both is a program. */
function wantsPage(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes('application/json');
}
