import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@sluice/core/error';
import type { Request, RequestHandler, Response } from 'express';
import { createOpenRequest } from '../../procedure/open-request.ts';
import type { ApiService, RequestContext } from '../../procedure/request-context.ts';
import type { FileForm, TextForm } from '../../procedure/route-meta.ts';
import { answersWithoutBody } from '../../procedure/route-meta.ts';
import type { Subscription } from '../../procedure/subscription.ts';
import { nameRoute } from '../http/route-name.ts';
import { sendCompressibleJson, sendJson, sendTagged } from '../http/send.ts';
import { createFindRoute, type FoundRoute } from './find-route.ts';
import { readRouteInput } from './route-input.ts';
import type { Route } from './route-table.ts';
import { sendEventStream } from './send-event-stream.ts';

/** Serves the procedures as REST. Paths are relative to where it is mounted. */
export function createRestHandler(service: ApiService, routes: readonly Route[]): RequestHandler {
  const findRoute = createFindRoute(routes);
  const openRequest = createOpenRequest(service);
  const uploads = createUploadSlots();
  return async (req, res) => {
    const found = findRoute(req.method, req.url.split('?', 1)[0] ?? '');
    if (found === null) throw new AppError('route_not_found');
    if ('allow' in found) throw new AppError('method_not_allowed', { headers: { Allow: found.allow.join(', ') } });
    const { route } = found;
    nameRoute(res, `/api${route.path}`);
    res.locals.procedure = route.name;
    await answer({ req, res, uploads }, found, openRequest({ req, res }));
  };
}

interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly uploads: UploadSlots;
}

async function answer({ req, res, uploads }: Exchange, found: FoundRoute, ctx: RequestContext): Promise<void> {
  const { meta } = found.route;
  const call = procedureCall({ req, res, uploads }, found, ctx);
  const isHead = req.method === 'HEAD'; // Node leaves the body out by itself
  if (meta.file !== undefined) return sendFile({ res, isHead }, meta.file, await call({}));
  if (meta.text !== undefined) {
    res.vary('Accept');
    if (wantsText(req, meta.text.type)) {
      return await sendText({ res, isHead }, meta.text, call);
    }
  }
  if (meta.sse !== undefined) {
    const lastEventId = req.get('Last-Event-ID');
    const { stream } = (await call(lastEventId ? { lastEventId } : {})) as Subscription<unknown>;
    return await sendEventStream({ res, isHead }, stream);
  }
  await sendSuccess({ req, res }, found.route, await call({}));
}

/**
 * Whether the answer is wanted as text. A browser that follows a link names pages first and then takes anything: what a
 * person downloads is the whole text, not a page of JSON.
 */
function wantsText(req: Request, type: string): boolean {
  const isLink = req.get('Accept')?.includes('text/html') === true && type !== 'text/html';
  const types = isLink ? [type, 'application/json'] : ['application/json', type];
  return req.accepts(types) === type;
}

/** One call of a procedure; `more` goes before what the request brings. */
type ProcedureCall = (more: Readonly<Record<string, unknown>>) => Promise<unknown>;

function procedureCall({ req, res, uploads }: Exchange, found: FoundRoute, ctx: RequestContext): ProcedureCall {
  let input: Promise<Record<string, unknown>> | null = null;
  return async (more) => {
    let release: (() => void) | null = null;
    try {
      return await found.route.call(ctx, async () => {
        // Only now is its sender known, and admitted.
        if (input === null && found.route.meta.upload === true) release = uploads.take((await ctx.actorNow()).user.id);
        input ??= readRouteInput(req, res, found);
        return { ...(await input), ...more };
      });
    } finally {
      (release as (() => void) | null)?.();
    }
  };
}

/** No browser opens a file as a page, whatever is in it. */
const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

function sendFile({ res, isHead }: { res: ServerResponse; isHead: boolean }, form: FileForm, output: unknown): void {
  if (res.destroyed) return;
  const { type, content, disposition } = form.toFile(output as never);
  res.statusCode = 200;
  res.setHeader('Content-Type', type.startsWith('text/') ? `${type}; charset=utf-8` : type);
  res.setHeader('Content-Length', content.length);
  res.setHeader('Content-Disposition', disposition);
  res.setHeader('Content-Security-Policy', FILE_POLICY);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  // It never changes, and a user who has lost access must not find it in a shared cache.
  res.setHeader('Cache-Control', 'private, max-age=3600, immutable');
  res.end(isHead ? undefined : content);
}

async function sendSuccess(
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  { meta, method, path }: Route,
  output: unknown,
): Promise<void> {
  if (res.destroyed) return;
  res.statusCode = meta.status ?? 200;
  if (answersWithoutBody(meta)) {
    res.end();
    return;
  }
  const json = JSON.stringify(output ?? null);
  if (meta.etag === true)
    await sendTagged({ req, res: res.set('Cache-Control', 'private, no-cache').type('json') }, json);
  else if (method === 'GET' && !path.startsWith('/auth/')) await sendCompressibleJson(req, res, json);
  else sendJson(res, json);
}

/**
 * Answers with the text form of a procedure's output, page after page, at the reader's pace. The first page is read before
 * anything is sent, so that a refusal still gets its status.
 */
async function sendText(
  request: { res: ServerResponse; isHead: boolean },
  form: TextForm,
  call: (more: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<void> {
  const { res, isHead } = request;
  const first = await call({});
  res.statusCode = 200;
  for (const [name, value] of Object.entries(form.headers ?? {})) res.setHeader(name, value);
  res.setHeader('Content-Type', `${form.type}; charset=utf-8`);
  if (isHead) {
    res.end();
    return;
  }
  await pipeline(pages(form, first, call), res);
}

async function* pages(
  form: TextForm,
  first: unknown,
  call: (more: Readonly<Record<string, unknown>>) => Promise<unknown>,
): AsyncGenerator<string> {
  let output = first;
  for (;;) {
    yield form.text(output as never);
    const more = form.next?.(output as never) ?? null;
    if (more === null) return;
    output = await call(more);
  }
}

/** Each holds a body of 14 MiB and what is decoded of it. */
const MAX_UPLOADS = 2;
const RETRY_MS = 1_000;

/** The uploads of this process that are in memory. */
interface UploadSlots {
  /**
   * Takes a slot for a user, who has one at most. The caller releases it by the function that it gets.
   *
   * @throws AppError `uploads_busy`
   */
  take(userId: string): () => void;
}

/** So that neither many users at once nor one alone can fill the memory with bodies. */
function createUploadSlots(): UploadSlots {
  const users = new Set<string>();
  return {
    take(userId) {
      if (users.has(userId)) {
        const detail = 'Another file of yours is being uploaded at this moment. Send them one after the other.';
        throw new AppError('uploads_busy', { detail, retryAfterMs: RETRY_MS });
      }
      if (users.size >= MAX_UPLOADS) throw new AppError('uploads_busy', { retryAfterMs: RETRY_MS });
      users.add(userId);
      return () => {
        users.delete(userId);
      };
    },
  };
}
