import { issueEventWire, issueWire, repoWire, userProfileWire } from '@sluice/core';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { errorWire } from '../error/public-error.ts';
import { type Route, routeTable } from '../rest/route-table.ts';
import { SESSION_COOKIE } from '../session/session-cookie.ts';
import { appRouter } from '../trpc/app-router.ts';
import { WEBHOOK_PATH } from '../webhook/take-delivery.ts';
import { describeOperation, describeStream } from './describe-operation.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-shape.ts';
import { webhookOperation } from './webhook-operation.ts';

const description = `Sluice takes an issue on a git repository through agents to a tested branch.

Names are \`snake_case\`, ids are UUIDs in lower case (any other \`{id}\` is a 404), times are RFC 3339 in UTC. Lists are
newest first: send \`next_cursor\` as \`cursor\` for the next page. Unknown members of a body or a query are refused (400). Checks come in
this order: session (401), rate limit (429), body and query (400), existence (404), ownership (403), state (409). An unsafe
method with a foreign \`Origin\` is refused (403) before all of these and counts towards no limit. \`X-Request-Id\` is accepted
and sent back. The same procedures are served as tRPC at \`/api/trpc\`.`;

const tags = [
  { name: 'auth', description: 'Accounts and sessions.' },
  { name: 'repos', description: 'Registered repositories.' },
  { name: 'issues', description: 'Issues and their pipelines.' },
  { name: 'codehost', description: 'The account at the code host.' },
  { name: 'health', description: 'Probes. They need no session.' },
  { name: 'meta', description: 'This document.' },
];

/** The OpenAPI 3.1 document: generated from the procedures, then corrected to the answers they really give. */
export function openApiDocument({ version }: { version: string } = { version: '0.0.0' }): OpenApiDocument {
  const generated = generateOpenApiDocument(appRouter, {
    title: 'Sluice',
    description,
    version,
    baseUrl: '/',
    openApiVersion: '3.1.0',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description: 'Set by login and register. The `Authorization` header is not used.',
      },
    },
    defs: {
      Error: errorWire,
      Issue: issueWire,
      IssueEvent: issueEventWire,
      Repo: repoWire,
      UserProfile: userProfileWire,
    },
  }) as unknown as OpenApiDocument;

  const paths: OpenApiDocument['paths'] = {};
  for (const route of routeTable(appRouter)) {
    const path = `/api${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(generated, route) };
  }
  paths['/api/openapi.json'] = { get: documentOperation };
  paths[WEBHOOK_PATH] = { post: webhookOperation };
  const schemas = Object.entries(generated.components.schemas).filter(([name]) => !name.startsWith('error.'));
  return {
    ...generated,
    tags,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { ...generated.components, schemas: Object.fromEntries(schemas) },
  };
}

function operationOf(generated: OpenApiDocument, route: Route): OpenApiOperation {
  if (route.meta.sse !== undefined) return describeStream(route);
  const operation = generated.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`The generated document leaves out ${route.name}.`);
  return describeOperation(route, operation);
}

const documentOperation: OpenApiOperation = {
  operationId: 'openapi',
  summary: 'Read this document',
  tags: ['meta'],
  security: [],
  responses: {
    '200': {
      description: 'Done.',
      content: {
        'application/json': { schema: { type: 'object' }, example: { openapi: '3.1.0', info: { title: 'Sluice' } } },
      },
    },
  },
};
