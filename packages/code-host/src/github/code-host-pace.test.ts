import { localHosts } from '@sluice/testing';
import { expect, it } from 'vitest';
import { json, quickPace, startScriptedHost } from '../../test/scripted-host.ts';
import { createCodeHost } from './create-code-host.ts';

const clock = { now: () => new Date() };
const signal = new AbortController().signal;

it('has at most ten concurrent requests for a token, and tokens do not wait for each other', async () => {
  const waiting: (() => void)[] = [];
  await using server = await startScriptedHost((_, response) => {
    waiting.push(() => json(response, [200, { id: 1, login: 'ada' }]));
  });
  const host = createCodeHost({
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
  });
  const wanted = Array.from({ length: 25 }, () => host.account({ token: 'gho_one', signal }));
  await expect.poll(() => waiting.length).toBe(10);
  const other = host.account({ token: 'gho_other', signal });
  await expect.poll(() => waiting.length).toBe(11);
  const answering = setInterval(() => {
    for (const answer of waiting.splice(0)) answer();
  }, 5);
  await Promise.all([...wanted, other]);
  clearInterval(answering);
  expect(server.seen).toHaveLength(26);
});

it('sends the user agent, the API version and the token, and nothing else about the user', async () => {
  await using server = await startScriptedHost((_, response) => json(response, [200, { id: 1, login: 'ada' }]));
  const host = createCodeHost({
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice/1 (a.host)',
  });
  await host.account({ token: 'gho_one', signal });
  expect(server.headers[0]).toMatchObject({
    authorization: 'token gho_one',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': expect.stringMatching(/^sluice\/1 \(a\.host\) /),
  });
  expect(server.headers[0]?.cookie).toBeUndefined();
});

it('retries a read after a transient failure', async () => {
  let failures = 2;
  await using server = await startScriptedHost((_, response) => {
    if (failures-- > 0) json(response, [503, { message: 'Unavailable' }]);
    else json(response, [200, { id: 1, login: 'ada' }]);
  });
  const options = {
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
    pace: quickPace,
  };
  expect(await createCodeHost(options).account({ token: 'gho_one', signal })).toMatchObject({ id: '1' });
  expect(server.seen).toHaveLength(3);
});

it('stops at a loop of redirects', async () => {
  await using server = await startScriptedHost((request, response) => {
    response.writeHead(301, { location: request.url ?? '' });
    response.end();
  });
  const options = {
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
    pace: quickPace,
  };
  const error = createCodeHost(options).account({ token: 'gho_one', signal });
  await expect(error).rejects.toMatchObject({ code: 'codehost_unavailable' });
  expect(server.seen).toHaveLength(4);
});
