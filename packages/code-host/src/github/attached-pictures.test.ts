import type { ServerResponse } from 'node:http';
import type { CodeHost, HostedPicture } from '@sluice/core/code-host';
import { localHosts, scriptedHosts } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openHostBench } from '../../test/host-bench.ts';
import { quickPace } from '../../test/scripted-host.ts';
import { usualFileOrigins } from './attached-pictures.ts';
import { createCodeHost } from './create-code-host.ts';

const REPO = 'ada/engine';
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);

async function openPictureBench() {
  const bench = await openHostBench();
  const { there, clock, ada } = bench;
  const urls = { webUrl: new URL(there.url), apiUrl: new URL(there.apiUrl) };
  const timeouts = { requestMs: 20_000, callMs: 20_000, logMs: 100 };
  const options = { ...urls, clock, hosts: localHosts, userAgent: 'sluice-test', pace: quickPace, timeouts };
  const host = createCodeHost({ ...options, fileOrigins: [there.files.url] });
  const limits = { maxBytes: 1_000, signal: ada.signal };
  return Object.assign(bench, {
    options,
    host,
    picture: (content: Uint8Array = PNG, more: Partial<Parameters<typeof there.files.add>[0]> = {}) =>
      there.files.add({ content, type: 'image/png', ...more }),
    listed: (body: string, comments: readonly string[] = []) => {
      const number = there.openIssue(REPO, { title: 'Broken', body, by: 'ada' });
      for (const comment of comments) there.comment({ repo: REPO, number, by: 'ada' }, comment);
      return host.pictures(ada, REPO, number);
    },
    read: (picture: HostedPicture, from: CodeHost = host) =>
      from.withPicture(picture, limits, async (fetched) => fetched),
  });
}

describe('pictures of an issue', () => {
  it('are its own and those of its comments, each once, and no other address that its text names', async () => {
    await using bench = await openPictureBench();
    const [first, second] = [bench.picture(), bench.picture()];
    const others = ['http://evil.test/a.png', 'http://169.254.169.254/latest', `${bench.there.files.url}/1/2-x.png`];
    const shown = (urls: readonly string[]) => urls.map((url) => `![a "b" <c>](${url})`).join('\n\n');
    const listed = await bench.listed(shown([first, ...others]), [shown([first, second]), 'No picture.']);
    expect(listed.map(({ name }) => name)).toEqual([first, second].map((url) => `2-${url.slice(-36)}.png`));
    for (const { url } of listed)
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/1\/2-[0-9a-f-]{36}\.png\?jwt=signed&v=1$/);
  });

  it('are read at their signed address without the token', async () => {
    await using bench = await openPictureBench();
    const [picture] = await bench.listed(`![](${bench.picture()})`);
    if (picture === undefined) throw new Error('there is none');
    const { content, mediaType } = await bench.read(picture);
    expect([...content]).toEqual([...PNG]);
    expect(mediaType).toBe('image/png');
    const { requests } = bench.there.files;
    expect(requests.map(({ headers }) => Object.keys(headers).sort())).toEqual([['accept', 'connection', 'host']]);
    for (const secret of bench.there.secrets()) expect(JSON.stringify(requests)).not.toContain(secret);
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof openPictureBench>>['picture']>, RegExp]>([
    [
      'redirects',
      [PNG, { send: (response) => response.writeHead(302, { location: '/1/other' }).end() }],
      /another one/,
    ],
    ['is gone', [PNG, { send: (response) => response.writeHead(403).end() }], /answered 403/],
    ['is too large', [new Uint8Array(1_001)], /more than 1000 bytes/],
    [
      'breaks off',
      [
        PNG,
        {
          send: (response) =>
            void response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
        },
      ],
      /broke/,
    ],
  ])('are refused in plain words where one %s', async (_what, file, reason) => {
    await using bench = await openPictureBench();
    const [picture] = await bench.listed(`![](${bench.picture(...file)})`);
    if (picture === undefined) throw new Error('there is none');
    await expect(bench.read(picture)).rejects.toMatchObject({
      code: 'codehost_refused',
      message: expect.stringMatching(reason),
    });
    expect(bench.there.files.requests).toHaveLength(1);
  });

  it('are given up where one never ends', async () => {
    await using bench = await openPictureBench();
    const send = (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'image/png' }).write('x');
    const [picture] = await bench.listed(`![](${bench.picture(PNG, { send })})`);
    if (picture === undefined) throw new Error('there is none');
    const timeouts = { requestMs: 100, callMs: 20_000, logMs: 100 };
    const host = createCodeHost({ ...bench.options, timeouts, fileOrigins: [bench.there.files.url] });
    await expect(bench.read(picture, host)).rejects.toThrow('in time');
  });

  it('are asked for at no other origin, at none of our own network, and not by plain HTTP when the API has HTTPS', async () => {
    await using bench = await openPictureBench();
    const name = 'a.png';
    const elsewhere = { name, url: `${bench.there.apiUrl}/user?jwt=x` };
    await expect(bench.read(elsewhere)).rejects.toThrow('not one of the files');
    const hosts = scriptedHosts(() => ['10.0.0.7']);
    const inside = {
      ...bench.options,
      hosts,
      fileOrigins: ['https://files.example.test', 'http://files.example.test'],
    };
    const host = createCodeHost({ ...inside, apiUrl: new URL('https://127.0.0.1:9') });
    for (const scheme of ['https', 'http']) {
      const picture = { name, url: `${scheme}://files.example.test/a.png?jwt=x` };
      await expect(bench.read(picture, host)).rejects.toThrow('private network');
    }
  });

  it('are read two at a time', async () => {
    await using bench = await openPictureBench();
    const pictures = await bench.listed(Array.from({ length: 5 }, () => `![](${bench.picture()})`).join(' '));
    let [now, most] = [0, 0];
    const limits = { maxBytes: 1_000, signal: bench.ada.signal };
    const use = async () => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now -= 1;
    };
    await Promise.all(pictures.map((picture) => bench.host.withPicture(picture, limits, use)));
    expect(bench.there.files.requests).toHaveLength(5);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('are at the usual origins of the public host and of an Enterprise Server', () => {
    expect(usualFileOrigins(new URL('https://github.com'))).toEqual([
      'https://private-user-images.githubusercontent.com',
    ]);
    expect(usualFileOrigins(new URL('https://github.example.com'))).toEqual(['https://media.github.example.com']);
  });
});
