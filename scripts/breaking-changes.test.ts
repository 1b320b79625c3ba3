import { describe, expect, it } from 'vitest';
import { type OpenApiDocument, openApiDocument } from '../packages/api/src/index.ts';
import { breakingChanges } from './breaking-changes.ts';

const today: OpenApiDocument = openApiDocument();

/** The findings when one value of today's document is changed. */
function toldOf(change: (document: Changeable) => void): string[] {
  const after = structuredClone(today);
  change(after as unknown as Changeable);
  return breakingChanges(today, after);
}

// biome-ignore lint/suspicious/noExplicitAny: changed in places that its type does not describe
type Changeable = any;

/** @param at an operation and the status of a refusal, e.g. `post /api/auth/login 400` */
function refusalAt({ paths, components }: Changeable, at: string): Changeable {
  const [method = '', path = '', status = ''] = at.split(' ');
  const response = paths[path][method].responses[status];
  return components.responses[response.$ref?.split('/').at(-1)] ?? response;
}

describe('what breaks a program of others', () => {
  it('is nothing when nothing has changed', () => {
    expect(toldOf(() => {})).toEqual([]);
  });

  const breaks: [told: string, change: (document: Changeable) => void][] = [
    ['GET /api/repos is gone', ({ paths }) => delete paths['/api/repos'].get],
    ['POST /api/repos is gone', ({ paths }) => delete paths['/api/repos']],
    [
      'GET /api/repos: its operationId repos-list is repos-all now',
      ({ paths }) => {
        paths['/api/repos'].get.operationId = 'repos-all';
      },
    ],
    ['GET /api/health/live: it needs a session now', ({ paths }) => paths['/api/health/live'].get.security.push({})],
    [
      'GET /api/issues: query q is not taken any more',
      ({ paths }) => {
        paths['/api/issues'].get.parameters = paths['/api/issues'].get.parameters.filter(
          ({ name }: { name: string }) => name !== 'q',
        );
      },
    ],
    [
      'GET /api/issues: query limit has a lower maximum',
      ({ paths }) => {
        paths['/api/issues'].get.parameters.find(({ name }: { name: string }) => name === 'limit').schema.maximum = 50;
      },
    ],
    [
      'POST /api/issues: body.labels is required now',
      ({ paths }) => paths['/api/issues'].post.requestBody.content['application/json'].schema.required.push('labels'),
    ],
    [
      'POST /api/issues: body.labels is not taken any more',
      ({ paths }) => delete paths['/api/issues'].post.requestBody.content['application/json'].schema.properties.labels,
    ],
    [
      'POST /api/issues/{id}/approve: body.action may not be "reject" any more',
      ({ paths }) =>
        paths['/api/issues/{id}/approve'].post.requestBody.content[
          'application/json'
        ].schema.properties.action.enum.splice(1, 1),
    ],
    [
      'POST /api/issues/{id}/retry: a body is required now',
      ({ paths }) => {
        paths['/api/issues/{id}/retry'].post.requestBody.required = true;
      },
    ],
    ['POST /api/issues: it answers 201 no more', ({ paths }) => delete paths['/api/issues'].post.responses['201']],
    [
      'GET /api/issues/{id}: 200 has no ETag any more',
      ({ paths }) => delete paths['/api/issues/{id}'].get.responses['200'].headers.ETag,
    ],
    [
      'GET /api/issues/{id}/diff: 200 is not given as text/x-diff any more',
      ({ paths }) => delete paths['/api/issues/{id}/diff'].get.responses['200'].content['text/x-diff'],
    ],
    [
      'POST /api/auth/login: 400 body.detail is not always there any more',
      (document) => {
        const { schema } = refusalAt(document, 'post /api/auth/login 400').content['application/json'];
        schema.required = ['code'];
      },
    ],
    [
      'GET /api/issues/{id}: 404 is not given as application/problem+json any more',
      (document) => delete refusalAt(document, 'get /api/issues/{id} 404').content['application/problem+json'],
    ],
    [
      'GET /api/issues/{id}: 200 body.title may be null now',
      ({ components }) => {
        components.schemas.Issue.properties.title.type = ['string', 'null'];
      },
    ],
    [
      'GET /api/issues/{id}/history: 200 body.items[].data.plan is not always there any more',
      ({ components }) => {
        components.schemas.PlanCreatedEvent.properties.data.required = [];
      },
    ],
    [
      'GET /api/events: 200 body.seq is not always there any more',
      ({ components }) => {
        components.schemas.IssueStatusEvent.required = ['type'];
      },
    ],
    [
      'GET /api/issues: 200 body.items[].stage is not always there any more',
      ({ components }) => {
        const { Issue } = components.schemas;
        Issue.required = Issue.required.filter((name: string) => name !== 'stage');
      },
    ],
  ];
  it.each(breaks)('%s', (told, change) => {
    expect(toldOf(change)).toContain(told);
  });

  it('is no new operation, optional parameter, wider bound, or member and word of an answer', () => {
    expect(
      toldOf(({ paths, components }) => {
        paths['/api/new'] = { get: paths['/api/repos'].get };
        paths['/api/issues'].get.parameters.push({ in: 'query', name: 'new', schema: { type: 'string' } });
        paths['/api/issues'].get.parameters.find(({ name }: { name: string }) => name === 'limit').schema.maximum = 500;
        components.schemas.Issue.properties.new = { type: 'string' };
        components.schemas.Issue.required.push('new');
        components.schemas.IssueStatus.enum.push('new');
        components.schemas.IssueEvent.oneOf.push({ type: 'object', properties: { type: { const: 'new' } } });
      }),
    ).toEqual([]);
  });

  it('is no refusal that is gone, has another code, or has its members in one place', () => {
    const before: Changeable = structuredClone(today);
    const codes = { properties: { code: { enum: ['old_code'] } } };
    const media = { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, codes] } };
    const { responses } = before.paths['/api/auth/login'].post;
    responses['400'] = { description: 'Refused.', content: { 'application/json': media } };
    responses['418'] = responses['400'];
    expect(breakingChanges(before, today)).toEqual([]);
  });
});
