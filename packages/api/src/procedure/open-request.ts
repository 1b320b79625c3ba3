import { AppError } from '@sluice/core/error';
import type { Request, Response } from 'express';
import { type Actor, findActor } from '../identity/session/actor.ts';
import { readBearer } from '../identity/session/bearer.ts';
import { findTokenActor } from '../identity/session/find-token-actor.ts';
import { clientAddressOf } from '../transport/http/client-address.ts';
import { noteInLog } from '../transport/http/log-notes.ts';
import { queryOf } from '../transport/http/request-target.ts';
import { admitCaller } from './admit-caller.ts';
import type { ApiService, RequestContext } from './request-context.ts';

/**
 * How long the caller that was found counts. A body may take a minute to arrive, and a text is read for as long as its client likes:
 * a caller who has logged out, was disabled or is no operator any more by then is refused.
 */
const KNOWN_MS = 250;

type OpenRequest = (request: { readonly req: Request; readonly res: Response }) => RequestContext;

/** Makes the context of one request from its head alone: nothing of its body has been read yet. */
export function createOpenRequest(service: ApiService): OpenRequest {
  const { noteSeen, noteTokenUse, limiter, ...rest } = service;
  const addressOf = clientAddressOf(service.options);
  return ({ req, res }) => {
    const bearer = readBearer(req, service.options);
    let found: { readonly at: number; readonly actor: Promise<Actor | AppError> } | null = null;
    const find = () => {
      const at = service.clock.now().getTime();
      if (found !== null && at - found.at < KNOWN_MS) return found.actor;
      const actor = (bearer === null ? findSession(service, req) : findByToken(service, req, bearer)).then((known) => {
        if (!(known instanceof AppError)) noteInLog(res, { user_id: known.user.id });
        return known;
      });
      found = { at, actor };
      return actor;
    };
    const actor = async () => {
      if (bearer === 'several') throw new AppError('credentials_ambiguous');
      const actor = await find();
      return actor instanceof AppError ? null : actor;
    };
    const mustEnroll = ({ session }: Actor) =>
      service.options.secondFactor === 'required' && session !== null && session.mustEnroll;
    return {
      ...rest,
      limits: limiter.limits,
      requestId: String(res.getHeader('X-Request-Id')),
      head: {
        userAgent: req.headers['user-agent'],
        cookie: req.headers.cookie,
        get query() {
          return queryOf(req.url);
        },
        host: req.headers.host,
        origin: req.headers.origin,
        fetchSite: req.headers['sec-fetch-site']?.toString(),
        idempotencyKey: req.headers['idempotency-key']?.toString(),
        wantsPage: wantsPage(req.headers.accept),
        // To public procedures it is no session yet.
        actor: async () => {
          const found = await actor();
          return found !== null && mustEnroll(found) ? null : found;
        },
      },
      signal: untilClosed(res),
      admit: (meta) =>
        admitCaller({ limiter }, { ip: () => addressOf(req), find, bringsToken: bearer !== null, mustEnroll }, meta),
      actorNow: async () => {
        const actor = await find();
        if (actor instanceof AppError) throw actor;
        return actor;
      },
      appendHeader: (name, value) => {
        res.appendHeader(name, value);
      },
      hangUp: () => res.destroy(),
    };
  };
}

async function findSession(service: ApiService, { headers }: Request): Promise<Actor | AppError> {
  return (await findActor(service, headers.cookie)) ?? new AppError('session_missing');
}

async function findByToken(
  service: ApiService,
  { headers }: Request,
  bearer: NonNullable<ReturnType<typeof readBearer>>,
): Promise<Actor | AppError> {
  if (bearer === 'several') return new AppError('credentials_ambiguous');
  return await findTokenActor(service, { text: bearer.token, userAgent: headers['user-agent'] });
}

// One for all: making an error with its stack takes longer than the rest of the context.
const CLOSED = new DOMException('The request is over.', 'AbortError');

/** Fires when the answer is whole or the client has left. */
function untilClosed(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort(CLOSED));
  return gone.signal;
}

/** A browser that opens a page accepts HTML and not JSON; a client that accepts both is a program. */
function wantsPage(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes('application/json');
}
