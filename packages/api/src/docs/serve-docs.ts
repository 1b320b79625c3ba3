import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '@sluice/core';
import { type Response, Router } from 'express';
import { entityTag, matchesTag } from '../http/entity-tag.ts';
import { DOCS_PATH, docsHtml, docsPolicy, docsScript } from './docs-page.ts';

interface Served {
  readonly type: string;
  readonly text: () => Promise<string>;
}

/** The renderer's files are read when they are first asked for: most processes never are. */
const files: Readonly<Record<string, Served>> = {
  [DOCS_PATH]: { type: 'text/html', text: async () => docsHtml },
  [`${DOCS_PATH}/start.js`]: { type: 'text/javascript', text: async () => docsScript },
  [`${DOCS_PATH}/swagger-ui-bundle.js`]: {
    type: 'text/javascript',
    text: once(() => read(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  },
  [`${DOCS_PATH}/swagger-ui.css`]: {
    type: 'text/css',
    text: once(() => read(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
  },
};

/** Serves the page on which the document is read and tried. */
export function serveDocs(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, file] of Object.entries(files)) {
    router.get(path, async (req, res) => {
      const text = await file.text();
      send(res, { type: file.type, text, ifNoneMatch: req.get('If-None-Match') });
    });
    router.all(path, () => {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    });
  }
  return router;
}

function send(res: Response, answer: { type: string; text: string; ifNoneMatch: string | undefined }): void {
  const { type, text, ifNoneMatch } = answer;
  const tag = entityTag(text);
  res.setHeader('Content-Security-Policy', docsPolicy);
  res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('ETag', tag);
  if (matchesTag(ifNoneMatch, tag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  res.setHeader('Content-Type', `${type}; charset=utf-8`);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

function read(url: string): Promise<string> {
  return readFile(fileURLToPath(url), 'utf8');
}

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
