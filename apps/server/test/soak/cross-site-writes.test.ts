import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openApiDocument } from '@sluice/api';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { isSoakRun } from '@sluice/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../code-host-browser.ts';
import { closeOthers, type ForeignPages, sendFrom, serveForeignPages, type Write, ways } from '../foreign-pages.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';
import { type ScratchServer, startScratchServer } from '../scratch-server.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly hasCookie: boolean;
  readonly allowsOrigin: boolean;
}

/** Opening more than forty windows on a busy machine. */
const WINDOWS_MS = 240_000;

let server: ScratchServer;
let browser: Browser;
let foreign: ForeignPages;
let owner: HttpSession;
let writes: Write[];
let ids: { issue: string; repo: string };
let page: Page;
const seen: Seen[] = [];

/** What the service itself answered, whatever the browser let the page know of it. */
const note = (message: unknown) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (String(request.socket.localPort) !== new URL(server.url).port) return;
  seen.push({
    method: request.method ?? '',
    path: (request.url ?? '').split('?', 1)[0] ?? '',
    status: response.statusCode,
    hasCookie: request.headers.cookie?.includes('access_token=') ?? false,
    allowsOrigin: response.hasHeader('access-control-allow-origin'),
  });
};

beforeAll(async () => {
  [server, browser, foreign] = await Promise.all([startScratchServer(), openBrowser(), serveForeignPages()]);
  owner = await signUp(server.url);
  const repo = await owner.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo().path });
  const issue = await owner.call<IssueWire>('POST', '/api/issues', {
    repo_id: repo.body.id,
    title: 'It waits',
    body: 'Nobody may touch it.',
  });
  ids = { issue: issue.body.id, repo: repo.body.id };
  await owner.reaches(ids.issue, 'awaiting_approval'); // where nothing happens by itself, and an approval would
  writes = everyWrite();
  subscribe('http.server.response.finish', note);
});
afterAll(async () => {
  unsubscribe('http.server.response.finish', note);
  await browser.close();
  await foreign[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  const context = await browser.newContext();
  // The service sets the cookie with these attributes.
  await context.addCookies(
    [...owner.cookies()].map(([name, value]) => ({ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' })),
  );
  page = await context.newPage();
});
afterEach(async () => {
  await page.context().close();
});

/** Every operation that is no reading one, with its example, over REST and over tRPC. */
function everyWrite(): Write[] {
  const operations = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  );
  return operations.flatMap(({ method, path, described }) => {
    const example = described.requestBody?.content['application/json']?.example as object | undefined;
    const id = path.startsWith('/api/repos') ? ids.repo : ids.issue;
    const named = { ...example, ...(example !== undefined && 'repo_id' in example && { repo_id: ids.repo }) };
    const procedure = String(described.operationId).replace('-', '.');
    const ofThing = { ...named, ...(path.includes('{id}') && { id }) };
    return [
      { method, url: server.url + path.replace('{id}', id), body: JSON.stringify(named) },
      { method: 'POST', url: `${server.url}/api/trpc/${procedure}`, body: JSON.stringify(ofThing) },
    ];
  });
}

/** All that a write could have changed. */
async function state(): Promise<unknown> {
  const paths = ['/api/auth/me', '/api/issues', `/api/issues/${ids.issue}`, '/api/repos', '/api/audit'];
  const answers = await Promise.all(paths.map((path) => owner.call('GET', path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const sessions = await owner.call<{ items: { id: string }[] }>('GET', '/api/auth/sessions');
  return [answers.map(({ body }) => body), sessions.body.items.map(({ id }) => id)];
}

const isReading = ({ method }: Seen) => ['GET', 'HEAD', 'OPTIONS'].includes(method);

describe('a foreign page in the browser of a logged-in user', () => {
  it('could write if it were the same origin', async () => {
    await page.route(`${server.url}/login`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Ours' }));
    await page.goto(`${server.url}/login`);
    const statuses = await page.evaluate(async (repo) => {
      const send = async (method: string, path: string, body: object) => {
        const headers = { 'Content-Type': 'application/json' };
        return (await fetch(path, { method, headers, body: JSON.stringify(body) })).status;
      };
      return [
        await send('PATCH', `/api/repos/${repo}`, { test_command: 'make test' }),
        await send('POST', '/api/trpc/repos.update', { id: repo, test_command: 'npm test' }),
      ];
    }, ids.repo);
    expect(statuses).toEqual([200, 200]);
  });

  it.each((['otherSite', 'sameSite'] as const).flatMap((where) => ways.map((way) => ({ where, way, name: way.name }))))(
    'cannot write by $name from the $where page',
    async ({ where, way }) => {
      const before = await state();
      seen.length = 0;
      const sent = isSoakRun || !way.name.includes('windows') ? writes : writes.filter((_write, at) => at % 8 === 0);
      await sendFrom(page, foreign[where], { way, writes: sent });
      const arrived = () => seen.filter(({ method }) => method === way.arrivesAs);
      await expect.poll(() => arrived().length, { timeout: WINDOWS_MS }).toBeGreaterThanOrEqual(sent.length);
      await closeOthers(page);
      const written = seen.filter((one) => !isReading(one));
      // What comes from the code host is known by its signature, and a mail program by its token: this has neither.
      const unsigned = ['/api/codehost/webhook', '/api/notifications/unsubscribe'];
      const isUnsigned = ({ path, status }: Seen) => unsigned.includes(path) && status >= 400;
      expect(written.filter((one) => one.status !== 403 && !isUnsigned(one))).toEqual([]);
      // Reading what is there to be read is no write, and no page of another origin is let see it.
      const mutations = seen.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/trpc/'));
      expect(mutations.filter(({ status }) => status < 400)).toEqual([]);
      expect(seen.filter(({ allowsOrigin }) => allowsOrigin)).toEqual([]);
      // Lax keeps the cookie from another site's requests; to a page of the same site it is no hindrance at all.
      if (where === 'sameSite' && way.arrivesAs === 'POST' && !way.name.includes('without an origin')) {
        expect(written.filter(({ hasCookie }) => !hasCookie)).toEqual([]);
      }
      expect(await state()).toEqual(before);
    },
    2 * WINDOWS_MS,
  );

  it('cannot read either', async () => {
    for (const from of [foreign.otherSite, foreign.sameSite]) {
      await page.goto(from);
      const read = page.evaluate(
        async (url) => (await fetch(url, { credentials: 'include' })).text(),
        `${server.url}/api/auth/me`,
      );
      await expect(read).rejects.toThrow('Failed to fetch');
    }
  });
});
