import { newId } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const ORIGIN = 'https://console.example';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];

let api: RunningApi;
let ada: Login;
beforeAll(async () => {
  api = await startApi({ corsOrigins: [ORIGIN] });
  ada = await api.login();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const { paths } = openApiDocument();
const template = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
/** The methods that a path takes: `/api/issues/import` is also an id of `/api/issues/{id}`. */
const taken = (path: string) => {
  const here = Object.keys(paths).filter((other) => template(other).test(path));
  const named = new Set(here.flatMap((other) => Object.keys(paths[other] ?? {}).map((method) => method.toUpperCase())));
  return named.has('GET') ? named.add('HEAD') : named;
};

describe.each(Object.keys(paths))('%s', (path) => {
  const target = path.replaceAll(/\{\w+\}/g, newId());
  const allowed = [...taken(path)].sort();

  it(`takes ${allowed.join(', ')}, and says so to all other methods`, async () => {
    for (const method of [...methods, 'OPTIONS', 'HEAD']) {
      if (allowed.includes(method)) continue;
      const answer = await api.call(method, target, { as: ada });
      expect([answer.status, answer.headers.get('allow')?.split(', ').sort()], method).toEqual([405, allowed]);
      if (method === 'HEAD') expect(answer.text).toBe('');
      else expect(answer.body).toMatchObject({ code: 'method_not_allowed', detail: expect.any(String) });
    }
  });

  it('lets pages of an allowed origin ask beforehand, and those of others not', async () => {
    const ask = (origin: string) =>
      api.call('OPTIONS', target, { headers: { origin, 'access-control-request-method': allowed[0] ?? '' } });
    const own = await ask(ORIGIN);
    const foreign = await ask('https://evil.example');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    // They answer no page's script at all.
    if (/\/(codehost\/webhook|notifications\/unsubscribe|backchannel-logout)$/.test(path)) return;
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN]);
  });
});

describe('HEAD', () => {
  it.each(Object.keys(paths).filter((path) => paths[path]?.get !== undefined))(
    '%s is GET without its body',
    async (path) => {
      const target = path.replaceAll(/\{\w+\}/g, newId());
      for (const as of [ada, undefined]) {
        const streams = as !== undefined && /^\/api\/events$/.test(path);
        const head = await api.call('HEAD', target, { as });
        expect(head.text).toBe('');
        if (streams) continue; // would not end
        const get = await api.call('GET', target, { as });
        expect([head.status, head.headers.get('content-type')]).toEqual([get.status, get.headers.get('content-type')]);
      }
    },
  );
});
