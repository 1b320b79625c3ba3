import type { Request, RequestHandler, Response } from 'express';
import { onlyRead } from '../docs/only-read.ts';
import type { ConsoleAsset, ConsoleFiles } from '../service/console-files.ts';
import { createCompressOnce, preferredEncoding } from '../transport/http/compression.ts';
import { nameRoute } from '../transport/http/route-name.ts';
import { sendTagged } from '../transport/http/send.ts';

/**
 * Everything from the service's own origin, nothing inline, and no string becomes a script. `script-src` covers workers
 * too; the address of one is made by the named policy.
 */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types sluice-worker',
].join('; ');

const ASSETS = '/assets/';

/** What browsers ask for beside a page that names no icon, such as an answer of the API. */
const FAVICON = '/favicon.ico';

/**
 * Serves the console: its assets, its icon, and its one page at each of its routes for clients that prefer HTML. The rest is
 * left to what comes after: programs get the same answers as without a console.
 */
export function serveConsole(files: ConsoleFiles): RequestHandler {
  const compress = createCompressOnce();
  const icon = iconIn(files.html);
  return async (req, res, next) => {
    const path = req.url.split('?', 1)[0] ?? '';
    if (path.startsWith(ASSETS)) {
      const asset = files.assets.get(path);
      if (asset === undefined) return next();
      if (!isRead(req)) return onlyRead(req, res, next);
      nameRoute(res, `${ASSETS}{file}`);
      return sendAsset({ req, res: res.type(path.slice(path.lastIndexOf('.'))) }, asset);
    }
    if (path === FAVICON && icon !== null && isRead(req)) {
      nameRoute(res, FAVICON);
      return res.redirect(icon);
    }
    const page = path !== '/' && path.endsWith('/') ? path.slice(0, -1) : path;
    const route = consoleRouteOf(page);
    if (route === null || !isRead(req)) return next();
    res.vary('Accept');
    // A client that takes anything, as curl does, is no browser.
    if (req.accepts(['text/plain', 'application/json', 'text/html']) !== 'text/html') return next();
    nameRoute(res, route);
    if (page !== path) return res.redirect(308, page + req.url.slice(path.length));
    res.set({ 'Content-Security-Policy': consolePolicy, 'Cache-Control': 'no-cache' });
    await sendTagged({ req, res: res.type('html') }, files.html, compress);
  };
}

/** Where the page says that its icon is; the name has a hash. */
function iconIn(html: string): string | null {
  return /<link rel="icon" href="([^"]+)"/.exec(html)?.[1] ?? null;
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function sendAsset({ req, res }: { readonly req: Request; readonly res: Response }, asset: ConsoleAsset): void {
  res.set('Cache-Control', 'public, max-age=31536000, immutable');
  if (asset.br !== null || asset.gzip !== null) res.vary('Accept-Encoding');
  const encoding = preferredEncoding(req);
  const encoded = encoding === null ? null : asset[encoding];
  if (encoding !== null && encoded !== null) res.set('Content-Encoding', encoding);
  const body = encoded ?? asset.body;
  res.set('Content-Length', String(body.byteLength));
  res.end(body);
}

/** The console's own paths. `/*` stands for anything below. */
const consoleRoutes = [
  '/',
  '/login',
  '/register',
  '/reset-password',
  '/verify-email',
  '/issues',
  '/issues/*',
  '/repos',
  '/repos/*',
  '/outcomes',
  '/settings',
  '/admin',
  '/admin/audit',
] as const;

/** The route of a path, or null when it is not the console's. */
function consoleRouteOf(path: string): (typeof consoleRoutes)[number] | null {
  const covers = (route: string) => (route.endsWith('/*') ? path.startsWith(route.slice(0, -1)) : path === route);
  return consoleRoutes.find(covers) ?? null;
}
