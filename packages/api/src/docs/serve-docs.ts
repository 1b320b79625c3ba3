import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { createCompressOnce } from '../transport/http/compression.ts';
import { nameRoute } from '../transport/http/route-name.ts';
import { sendTagged } from '../transport/http/send.ts';
import { onlyRead } from './only-read.ts';

interface DocsFile {
  readonly type: string;
  readonly text: () => Promise<string>;
}

/** The page's path; its files are below it. */
const DOCS_PATH = '/api/docs';

/** Swagger UI's files are read on first use: most processes never serve them. */
const files: Readonly<Record<string, DocsFile>> = {
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

const DOCUMENT_PATH = '/api/openapi.json';

/** Whether a request may be for what `serveDocs` serves; the others need not be compared with each of its paths. */
export function isDocs(url: string): boolean {
  return url.startsWith(DOCS_PATH) || url.startsWith(DOCUMENT_PATH);
}

/**
 * Serves the OpenAPI document, and the page for reading and trying it.
 *
 * @param makeDocument called once, at the first request for it: to make it is a good part of a start
 */
export function serveDocs(makeDocument: () => string): Router {
  let document: string | null = null;
  const router = Router({ caseSensitive: true, strict: true });
  const compressDocument = createCompressOnce();
  router.get(DOCUMENT_PATH, async (req, res) => {
    nameRoute(res, DOCUMENT_PATH);
    document ??= makeDocument();
    await sendTagged({ req, res: res.set('Cache-Control', 'no-cache').type('json') }, document, compressDocument);
  });
  router.all(DOCUMENT_PATH, onlyRead);
  for (const [path, file] of Object.entries(files)) {
    const compress = createCompressOnce();
    router.get(path, async (req, res) => {
      res.set({ 'Content-Security-Policy': docsPolicy, 'Cache-Control': 'no-cache' });
      await sendTagged({ req, res: res.type(file.type) }, await file.text(), compress);
    });
    router.all(path, onlyRead);
  }
  return router;
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

/** Scripts and styles only from the service's own origin, none inline. Swagger UI draws its icons from `data:`. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The links are relative, so that the page also works behind a proxy that adds a path prefix. */
const docsHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="docs"></main>
<noscript>This page needs JavaScript. The document itself is <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const docsScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  validatorUrl: null,
});
`;
