import { Router } from 'express';
import { nameRoute } from '../transport/http/route-name.ts';
import { sendTagged } from '../transport/http/send.ts';
import { type FrontFacts, frontHtml, frontJson, frontPolicy, frontText } from './front-page.ts';
import { onlyRead } from './only-read.ts';

/** Paths that people try first for the documentation, each with where it is from there. */
const DOCS_FROM: Readonly<Record<string, string>> = {
  '/docs': 'api/docs',
  '/docs/': '../api/docs',
  '/api/docs/': '../docs',
};

const paths: ReadonlySet<string> = new Set(['/', ...Object.keys(DOCS_FROM)]);

/** Whether a request is for what `serveFront` serves. */
export function isFront(url: string): boolean {
  return paths.has(url.split('?', 1)[0] ?? '');
}

/** Serves `/`, and leads from the paths that people try to the documentation. Reads nothing, and needs no session. */
export function serveFront(facts: FrontFacts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', async (req, res) => {
    nameRoute(res, '/');
    res.vary('Accept').set('Cache-Control', 'no-cache');
    // A client that takes anything, as curl does, gets text.
    const type = req.accepts(['text/plain', 'text/html', 'application/json']);
    if (type === 'text/html')
      await sendTagged({ req, res: res.type('html').set('Content-Security-Policy', frontPolicy) }, frontHtml(facts));
    else if (type === 'application/json') await sendTagged({ req, res: res.type('json') }, frontJson(facts));
    else await sendTagged({ req, res: res.type('text') }, frontText(facts));
  });
  for (const [path, docs] of Object.entries(DOCS_FROM)) {
    router.get(path, (_req, res) => {
      nameRoute(res, path);
      res.redirect(308, docs);
    });
  }
  for (const path of paths) router.all(path, onlyRead);
  return router;
}
