import { generateOpenApiDocument } from 'trpc-to-openapi';
import { SESSION_COOKIE } from '../identity/session/session-cookie.ts';
import { UNSUBSCRIBE_PATH } from '../notifications/take-unsubscription.ts';
import { type Route, routeTable } from '../transport/rest/route-table.ts';
import { appRouter } from '../transport/trpc/app-router.ts';
import { WEBHOOK_PATH } from '../webhook/take-delivery.ts';
import { describeOperation, describeStream, tagged } from './describe-operation.ts';
import { eventUnions } from './event-schemas.ts';
import { namedSchemas, namedWords } from './named-schemas.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-shape.ts';
import { backchannelLogoutOperation, unsubscribeOperations, webhookOperation } from './plain-operations.ts';
import { plainSchema } from './plain-schema.ts';
import { refusalResponses, sharedResponses } from './refusal-responses.ts';

const description = `Sluice takes an issue on a git repository through agents to a tested branch.

Names are \`snake_case\`, ids are UUIDs in lower case (any other \`{id}\` is a 404), times are RFC 3339 in UTC. Lists are
newest first: send \`next_cursor\` as \`cursor\` for the next page. Unknown members of a body or a query are refused (400). Checks come in
this order: session (401), rate limit (429), body and query (400), existence (404), ownership (403), state (409). An unsafe
method with a foreign \`Origin\` is refused (403) before all of these and counts towards no limit. \`X-Request-Id\` is accepted
and sent back. Errors are \`application/json\`, and each operation lists their codes; or they are \`application/problem+json\` with the members of RFC 9457 for clients that accept it.
The same procedures are served as tRPC at \`/api/trpc\`.

Stability: until the next major version (before 1.0: minor version) of \`info.version\`, requests that are accepted stay accepted, and
members of answers stay. Answers may get new members, and enumerations, events and error codes new words: ignore those that
you do not know. The schema of a \`text/event-stream\` is that of one event, whose \`data\` is JSON.`;

const contact = { name: 'The operator of this server' };

const tags = [
  { name: 'auth', description: 'Accounts and sessions.' },
  { name: 'repos', description: 'Registered repositories.' },
  { name: 'issues', description: 'Issues and their pipelines.' },
  { name: 'attachments', description: 'Pictures and texts of issues.' },
  { name: 'members', description: 'Who may do what in a repository.' },
  { name: 'tokens', description: 'API tokens for scripts, where the operator allows them.' },
  { name: 'budgets', description: 'What may be spent in a month.' },
  { name: 'outcomes', description: 'What became of pull requests.' },
  { name: 'codehost', description: 'The account at the code host.' },
  { name: 'oidc', description: 'Single sign-on: accounts at OpenID providers.' },
  { name: 'notifications', description: 'Webhooks and e-mails about your issues.' },
  { name: 'admin', description: 'The whole server, for its operators.' },
  { name: 'health', description: 'Probes. They need no session.' },
  { name: 'meta', description: 'The server and this document.' },
];

/** The OpenAPI 3.1 document: generated from the procedures, then corrected to the answers they really give. */
export function openApiDocument({ version }: { version: string } = { version: '0.0.0' }): OpenApiDocument {
  const document = generateOpenApiDocument(appRouter, {
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
        description: 'Set by login and register.',
      },
      api_token: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'slc_…',
        description:
          'An API token of `POST /api/tokens`, where the operator has set `API_TOKENS=on`; otherwise, and for any other value, the `Authorization` header is not read. Each operation says which scope it needs.',
      },
    },
    defs: namedSchemas,
  }) as unknown as OpenApiDocument;
  const generated = withOneSchemaEach(document);

  const paths: OpenApiDocument['paths'] = {};
  for (const route of routeTable(appRouter)) {
    const path = `/api${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(generated, route) };
  }
  paths['/api/openapi.json'] = { get: documentOperation };
  paths['/api/auth/oidc/{provider}/backchannel-logout'] = { post: backchannelLogoutOperation };
  paths[WEBHOOK_PATH] = { post: webhookOperation };
  paths[UNSUBSCRIBE_PATH] = unsubscribeOperations;
  return {
    ...generated,
    info: { ...generated.info, contact },
    tags,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: componentSchemas(generated),
      responses: sharedResponses(),
      securitySchemes: generated.components.securitySchemes,
    },
  };
}

/** The generator prints a schema twice, the second time as `…Output`, though only answers have the named schemas. */
function withOneSchemaEach(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document).replaceAll(/(?<="#\/components\/schemas\/\w+)Output"/g, '"'));
}

function componentSchemas({ components: { schemas } }: OpenApiDocument): Record<string, unknown> {
  const words = Object.entries(namedWords).map(([name, words]) => [name, { type: 'string', enum: [...words] }]);
  const objects = Object.keys(namedSchemas).map((name) => [name, schemas[`${name}Output`] ?? schemas[name]]);
  const all = { ...Object.fromEntries(objects), ...eventUnions() };
  return { ...plainSchema(all, { isAnswer: true }), ...Object.fromEntries(words) };
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
  description: 'Needs no session, and is the same for everybody.',
  tags: ['meta'],
  security: [],
  parameters: [tagged.parameter],
  responses: {
    '200': {
      description: 'Done.',
      headers: tagged.headers,
      content: {
        'application/json': { schema: { type: 'object' }, example: { openapi: '3.1.0', info: { title: 'Sluice' } } },
      },
    },
    ...tagged.responses,
    ...refusalResponses(['malformed_request']),
  },
};
