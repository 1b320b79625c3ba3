import { AppError } from '@sluice/core/error';
import type { Request, RequestHandler } from 'express';
import { readBearer } from '../../identity/session/bearer.ts';
import type { ApiOptions } from '../../service/api-deps.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const MAX_ORIGIN = 300; // a host name has 253 characters at most
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The origins that may call with the cookie: the service's own and the configured ones. */
export function allowedOrigins(options: { publicUrl: URL; corsOrigins: readonly string[] }): Set<string> {
  return new Set([...ownOrigins(options.publicUrl), ...options.corsOrigins.map((origin) => new URL(origin).origin)]);
}

/** People type any of the loopback names; on the same port they are the same service. */
function ownOrigins({ protocol, hostname, port, origin }: URL): string[] {
  if (!loopback.includes(hostname)) return [origin];
  return loopback.map((name) => new URL(`${protocol}//${name}${port === '' ? '' : `:${port}`}`).origin);
}

/**
 * Refuses unsafe requests that a page of another site sends in its visitor's name. Checking the content type would not be
 * enough: a POST without a body needs none. Clients other than browsers send neither header and pass.
 *
 * A refused request counts towards no limit: any page could use up its visitors' limits otherwise.
 *
 * A request by an API token passes: a page can neither set its header nor has the token.
 *
 * @param allowed see `allowedOrigins`
 */
export function checkOrigin(
  allowed: ReadonlySet<string>,
  options: Pick<ApiOptions, 'publicUrl' | 'takesApiTokens'>,
): RequestHandler {
  const { publicUrl } = options;
  return (req, _res, next) => {
    if (safeMethods.has(req.method) || isByToken(req, options)) return next();
    const origin = req.get('Origin');
    const isForeign = origin === undefined ? req.get('Sec-Fetch-Site') === 'cross-site' : !allowed.has(origin);
    return isForeign ? next(new AppError('origin_refused', { detail: refusalOf(origin, publicUrl) })) : next();
  };
}

/** Whether an API token alone says who asks. With a cookie beside it the browser could be misused. */
function isByToken(req: Request, options: Pick<ApiOptions, 'takesApiTokens'>): boolean {
  const bearer = readBearer(req, options);
  return bearer !== null && bearer !== 'several';
}

/** The console shows this to a person who opened Sluice by another name of its host. */
function refusalOf(origin: string | undefined, publicUrl: URL): string {
  const expected = `Open Sluice at ${publicUrl.origin}`;
  if (origin === undefined || !isPlainOrigin(origin))
    return `Changes are refused that a page of another site asks for. ${expected}.`;
  return (
    `Changes are refused from a page at ${origin}, which is not the address of this server. ${expected}. ` +
    `If people should open it at ${origin}, the operator sets PUBLIC_URL to that; for a page of your own, CORS_ORIGINS.`
  );
}

/** Whether it is what a browser sends for a page on the web, and nothing else that a program made up. */
function isPlainOrigin(origin: string): boolean {
  return origin.length <= MAX_ORIGIN && URL.canParse(origin) && new URL(origin).origin === origin;
}
