import { readFileSync } from 'node:fs';
import { eventCatalog, issueWire, liveEventCatalog } from '@sluice/core/issue';
import { repoWire } from '@sluice/core/repo';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { publicCodes } from '../src/error/public-error.ts';
import { renderResumePoint, resumeToken } from '../src/feed/resume-token.ts';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { refusalCodes } from '../src/openapi/refusal-responses.ts';
import { routeTable } from '../src/transport/rest/route-table.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';
import { responseOf } from './fuzz/operations.ts';
import { type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await startApi({ version: '1.2.3' });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

interface Union {
  readonly discriminator: { readonly mapping: Readonly<Record<string, string>> };
}

const document = openApiDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, name: `${method} ${path}` })),
);

it('keeps the path and the id of every operation, by which programs and generated clients call it', () => {
  const known = readFileSync(new URL('./operations.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const present = operations.map(
    ({ method, path, operation }) => `${method.toUpperCase()} ${path} ${operation.operationId}`,
  );
  // A new operation is added to the file. What is in it never goes.
  expect(present.sort()).toEqual(known);
});

/** The value at a path below a part of the document: the first reference is followed, any other is the value itself. */
function readPlainly(part: unknown, path: readonly string[], isFollowed = false): unknown {
  const { $ref, ...members } = (part ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof $ref === 'string') {
    return isFollowed ? $ref : readPlainly(document, [...$ref.split('/').slice(1), ...path], true);
  }
  const [first, ...rest] = path;
  if (first === undefined) return part;
  return readPlainly(members[first], rest, isFollowed);
}

/** Operations that are no procedures. */
const byHand = [
  'post /api/auth/oidc/{provider}/backchannel-logout',
  'post /api/codehost/webhook',
  'get /api/notifications/unsubscribe',
  'post /api/notifications/unsubscribe',
];

describe('the OpenAPI document', () => {
  it('is served as it is generated, without a session', async () => {
    const answer = await api.call('GET', '/api/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(openApiDocument({ version: '1.2.3' }))));
    expect(answer.body.openapi).toBe('3.1.0');
  });

  it('has every route of the router and no other', () => {
    const served = routeTable(appRouter).map(({ method, path }) => `${method.toLowerCase()} /api${path}`);
    expect(operations.map(({ name }) => name).sort()).toEqual([...served, 'get /api/openapi.json', ...byHand].sort());
  });

  it('resolves every reference and gives every operation a summary, a tag and an id of its own', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)];
    for (const [, name = ''] of references) expect(document.components, name).toHaveProperty(name.split('/'));
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation, name } of operations) {
      expect(operation.summary, name).toMatch(/^[A-Z]/);
      expect(tags, name).toEqual(expect.arrayContaining(operation.tags));
    }
  });

  it('describes every error by the members of the one error body and the codes of the operation, and no body where none is sent', () => {
    for (const { operation, name } of operations) {
      for (const [status, described] of Object.entries(operation.responses)) {
        const { content } = responseOf(document, described);
        if (Number(status) >= 400) {
          for (const [type, whole] of [
            ['application/json', 'Error'],
            ['application/problem+json', 'Problem'],
          ] as const) {
            const { properties, ...rest } = document.components.schemas[whole] as { properties: object };
            const words = { type: 'string', enum: expect.arrayContaining([expect.any(String)]) };
            const code = { ...words, description: expect.stringContaining('Later versions') };
            expect(content?.[type]?.schema, name).toEqual({ ...rest, properties: { ...properties, code } });
          }
        }
        if (['202', '204', '304'].includes(status)) expect(content, name).toBeUndefined();
      }
      if (operation.responses['429'] !== undefined) {
        // A limit of open streams has no window of time.
        const isStream = operation.responses['200']?.content?.['text/event-stream'] !== undefined;
        const { headers = {} } = responseOf(document, operation.responses['429']);
        expect(Object.keys(headers), name).toEqual(
          isStream ? ['Retry-After'] : ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
        );
      }
    }
  });

  it('shows `detail` and `code` of every error to a reader that follows one reference and merges no schemas', () => {
    const read = operations.flatMap(({ operation, name }) =>
      Object.entries(operation.responses).flatMap(([status, response]) => {
        if (Number(status) < 400) return [];
        return ['application/json', 'application/problem+json'].map((type) => {
          const path = ['content', type, 'schema', 'properties'];
          const at = `${name} ${status} ${type}`;
          return [
            at,
            readPlainly(response, [...path, 'detail', 'type']),
            readPlainly(response, [...path, 'code', 'type']),
          ];
        });
      }),
    );
    expect(read.length).toBeGreaterThan(operations.length);
    expect(read.filter(([, detail, code]) => detail !== 'string' || code !== 'string')).toEqual([]);
  });

  it('lists every code at an operation, except those of requests that reach none', () => {
    const listed = new Set(routeTable(appRouter).flatMap(refusalCodes));
    const others = operations.filter(({ name }) => byHand.includes(name));
    const responses = others.flatMap(({ operation }) => Object.values(operation.responses));
    const ofOthers = JSON.stringify(responses.map((response) => responseOf(document, response).content));
    expect(publicCodes.filter((code) => !listed.has(code) && !ofOthers.includes(`"${code}"`))).toEqual([
      'route_not_found',
      'method_not_allowed',
      'request_timeout',
      'headers_too_large',
    ]);
  });

  it('names the refusals that operations share', () => {
    const own = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, response]) =>
        Number(status) < 400 || response.$ref !== undefined ? [] : [JSON.stringify(response)],
      ),
    );
    expect(own.filter((one, at) => own.indexOf(one) !== at)).toEqual([]);
  });

  it('names every object that an answer has, and uses every name but those of errors', () => {
    const text = JSON.stringify(document);
    const { schemas, responses } = document.components;
    const names = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ];
    const unused = names.filter((name) => !text.includes(`"#/components/${name}"`));
    expect(unused).toEqual(['schemas/Error', 'schemas/Problem']); // for programs, which take an error of any operation
    const inline = operations.flatMap(({ operation, name }) => {
      const { schema } = Object.values(operation.responses)[0]?.content?.['application/json'] ?? {};
      const { properties: { items } = {} } = (schema ?? {}) as { properties?: { items?: { items?: object } } };
      const shown = (items === undefined ? schema : items.items) as { $ref?: string; properties?: object } | undefined;
      return shown?.properties === undefined ? [] : [name];
    });
    expect(inline).toEqual([
      'post /api/auth/codehost', // an address
      'get /api/auth/codehost/cli', // a page for a person
      'post /api/auth/oidc/{provider}', // an address
      'get /api/auth/oidc/{provider}/cli', // a page for a person
      'post /api/auth/oidc/{provider}/logout', // an address
      'get /api/health/live', // one word
    ]);
  });

  it('knows the data of every event by its type', () => {
    const { IssueEvent, WatchedEvent, FollowedEvent } = document.components.schemas as Record<string, Union>;
    const types = Object.keys(eventCatalog);
    expect(Object.keys(IssueEvent?.discriminator.mapping ?? {})).toEqual(types);
    expect(Object.keys(WatchedEvent?.discriminator.mapping ?? {})).toEqual([
      ...types,
      ...Object.keys(liveEventCatalog),
    ]);
    expect(Object.keys(FollowedEvent?.discriminator.mapping ?? {})).toEqual([...types, 'stream.opened']);
  });

  it('says ids, times and whole numbers by their formats, and leaves answers open', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/9007199254740991|02-29|00000000-0000/);
    const answers = JSON.stringify([
      document.components.schemas,
      operations.map(({ operation }) => operation.responses),
    ]);
    expect(answers).not.toContain('"additionalProperties":false');
  });

  it('documents 401 exactly for the routes that require the cookie', async () => {
    for (const { path, method, operation, name } of operations) {
      const answer = await api.call(method.toUpperCase(), path.replace('{id}', 'x'), {});
      const needsSession = operation.security.length > 0;
      expect(answer.body?.code === 'session_missing', name).toBe(needsSession);
      if (needsSession) expect(operation.responses, name).toHaveProperty('401');
    }
  });

  it('describes what is really answered', async () => {
    const ada = await api.login();
    const repo = await api.repo(ada);
    const issue = await api.issue(ada, { repo_id: repo.id });
    expect(z.strictObject(repoWire.shape).parse(repo)).toEqual(repo);
    expect(z.strictObject(issueWire.shape).parse(issue)).toEqual(issue);
    const schemaOf = (name: string) => document.components.schemas[name] as { properties: object };
    expect(Object.keys(schemaOf('Issue').properties)).toEqual(Object.keys(issue));
    expect(Object.keys(schemaOf('Repo').properties)).toEqual(Object.keys(repo));
  });

  it('describes every parameter in words', () => {
    const silent = operations.flatMap(({ operation, name }) =>
      (operation.parameters ?? []).flatMap((parameter) =>
        parameter.description === undefined ? [`${name} ${parameter.name}`] : [],
      ),
    );
    expect(silent).toEqual([]);
  });

  it('describes numbers of a query as numbers, and bodies as closed', () => {
    const parameters = document.paths['/api/issues']?.get?.parameters ?? [];
    expect(parameters.find(({ name }) => name === 'limit')).toMatchObject({
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    });
    expect(JSON.stringify(parameters)).not.toContain('anyOf');
    for (const { operation, name } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      // The code host chooses the members of its deliveries.
      const isOurs = name !== 'post /api/codehost/webhook';
      if (schema !== undefined && isOurs) expect(schema, name).toMatchObject({ additionalProperties: false });
    }
    expect(document.paths['/api/auth/logout']?.post?.requestBody).toBeUndefined();
    expect(document.paths['/api/issues/{id}/run']?.post?.requestBody?.required).toBe(false);
    expect(document.paths['/api/issues/{id}/retry']?.post?.requestBody?.required).toBe(false);
    expect(document.paths['/api/issues/{id}/messages']?.post?.requestBody?.required).toBe(true);
  });

  it.each(['/api/events', '/api/issues/{id}/events'])(
    'shows what %s sends as its schema and its `after` have it',
    (path) => {
      const { parameters = [], responses } = document.paths[path]?.get ?? {};
      const { description = '', content } = responses?.['200'] ?? {};
      const { schema, example } = content?.['text/event-stream'] ?? {};
      const [, text = ''] = /```\n([\s\S]*)\n```$/.exec(description) ?? [];
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      const isSent = ajv.compile({ ...schema, components: document.components });
      const events = text.split('\n\n').filter((part) => part.includes('data: '));
      const after = parameters.find(({ name }) => name === 'after')?.schema as { type: string; maxLength?: number };
      expect(events).toHaveLength(2);
      expect(events[0]).toContain(`data: ${JSON.stringify(example)}`);
      for (const event of events) {
        const { id, type, data } =
          /^(?:id: (?<id>.*)\n)?event: (?<type>.*)\ndata: (?<data>.*)$/.exec(event)?.groups ?? {};
        const sent = JSON.parse(data ?? '');
        expect([isSent(sent), sent.type], ajv.errorsText(isSent.errors)).toEqual([true, type]);
        if (id === undefined) expect(sent).not.toHaveProperty('seq');
        else if (after.type === 'string') expect(renderResumePoint(resumeToken.parse(id))).toBe(id);
        else expect(Number(id)).toBe(sent.seq);
      }
    },
  );

  it('describes the stream, the text forms and the ETag', () => {
    const issue = document.paths['/api/issues/{id}'];
    expect(Object.keys(document.paths['/api/issues/{id}/events']?.get?.responses['200']?.content ?? {})).toEqual([
      'text/event-stream',
    ]);
    expect(document.paths['/api/issues/{id}/diff']?.get?.responses['200']?.content).toHaveProperty('text/x-diff');
    expect(document.paths['/api/issues/{id}/log']?.get?.responses['200']?.content).toHaveProperty('text/plain');
    expect(issue?.get?.responses['200']?.headers).toHaveProperty('ETag');
    expect(issue?.get?.responses).toHaveProperty('304');
  });
});
