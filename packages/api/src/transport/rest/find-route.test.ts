import { expect, it } from 'vitest';
import { createFindRoute } from './find-route.ts';
import type { Route } from './route-table.ts';

function route(method: Route['method'], path: string): Route {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
  const procedure = { type: 'query', input: null, output: null, call: async () => null } as const;
  return { method, path, name: `${method} ${path}`, ...procedure, meta: {}, params, lists: [] };
}

const find = createFindRoute([
  route('GET', '/issues'),
  route('POST', '/issues'),
  route('POST', '/issues/import'),
  route('GET', '/issues/{id}'),
  route('DELETE', '/issues/{id}'),
  route('GET', '/issues/{id}/plans/{revision}'),
]);

function found(method: string, path: string): unknown {
  const answer = find(method, path);
  return answer !== null && 'route' in answer ? [answer.route.name, answer.params] : answer;
}

it('finds a route by method and path, and HEAD by GET', () => {
  expect(found('GET', '/issues')).toEqual(['GET /issues', {}]);
  expect(found('HEAD', '/issues')).toEqual(['GET /issues', {}]);
  expect(found('POST', '/issues/import')).toEqual(['POST /issues/import', {}]);
  expect(found('GET', '/issues/import')).toEqual(['GET /issues/{id}', { id: 'import' }]);
  expect(found('GET', '/issues/7/plans/2')).toEqual(['GET /issues/{id}/plans/{revision}', { id: '7', revision: '2' }]);
});

it('gives parameters as they were sent', () => {
  expect(found('GET', '/issues/a%2Fb%')).toEqual(['GET /issues/{id}', { id: 'a%2Fb%' }]);
});

it('names the methods of every route that has the path', () => {
  expect(found('PUT', '/issues')).toEqual({ allow: ['GET', 'POST', 'HEAD'] });
  expect(found('PATCH', '/issues/import')).toEqual({ allow: ['POST', 'GET', 'DELETE', 'HEAD'] });
});

it.each([
  '',
  '/',
  '/issues/',
  '/Issues',
  '/issues/7/',
  '/issues//plans/2',
  '/issues/7/plans',
  '/constructor',
  '/i%73sues',
])('finds nothing at "%s"', (path) => {
  expect(found('GET', path)).toBeNull();
});
