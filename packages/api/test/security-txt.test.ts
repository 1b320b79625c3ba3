import { type SettableClock, settableClock } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from './start-api.ts';

const PATH = '/.well-known/security.txt';
const DAY_MS = 86_400_000;

const contact = {
  contacts: ['mailto:security@example.com', 'https://example.com/report'],
  policy: 'https://example.com/policy',
  languages: ['en', 'fr'],
};

describe('security.txt of a server whose operator named a contact', () => {
  let clock: SettableClock;
  let api: RunningApi;
  beforeAll(async () => {
    clock = settableClock(new Date('2026-11-27T15:00:00Z'));
    const publicUrl = new URL('https://sluice.example.com');
    api = await startApi({ clock, publicUrl, securityContact: contact });
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
  });

  it('has every field of RFC 9116 that the operator has set, as plain text, without a session', async () => {
    const { status, headers, text } = await api.call('GET', PATH);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).toBe(
      `Contact: mailto:security@example.com
Contact: https://example.com/report
Expires: 2027-02-25T00:00:00Z
Preferred-Languages: en, fr
Canonical: https://sluice.example.com/.well-known/security.txt
Policy: https://example.com/policy
`,
    );
  });

  it('expires in the future and in less than a year, whenever it is read', async () => {
    const before = await api.call('GET', PATH);
    clock.advance(400 * DAY_MS);
    const { text, headers } = await api.call('GET', PATH);
    const expires = new Date(/^Expires: (.*)$/m.exec(text)?.[1] ?? '');
    const days = (expires.getTime() - clock.now().getTime()) / DAY_MS;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
    expect(headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('answers HEAD without the text, a known tag with 304, and nothing else', async () => {
    const read = await api.call('GET', PATH);
    const head = await api.call('HEAD', PATH);
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/plain; charset=utf-8']);
    expect(head.headers.get('content-length')).toBe(read.headers.get('content-length'));
    const again = await api.call('GET', PATH, { headers: { 'if-none-match': read.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    for (const path of [PATH, '/security.txt']) {
      const { status, headers } = await api.call('POST', path);
      expect([status, headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
    }
  });

  it('is where its former path leads', async () => {
    const { status, headers } = await api.call('GET', '/security.txt');
    expect([status, headers.get('location')]).toEqual([308, '.well-known/security.txt']);
    for (const path of [`${PATH}x`, `${PATH}/`, '/security.txt/x', '/.well-known/'])
      expect((await api.call('GET', path)).status, path).toBe(404);
  });
});

describe('security.txt of other servers', () => {
  it('is a 404 that says what to set where no contact is named', async () => {
    await using api = await startApi();
    for (const path of [PATH, '/security.txt']) {
      const { status, body } = await api.call('GET', path);
      expect([status, body.code], path).toEqual([404, 'route_not_found']);
      expect(body.detail).toContain('SECURITY_CONTACT');
    }
  });

  it('names no place and no policy where there is none', async () => {
    await using api = await startApi({ securityContact: { ...contact, policy: null, languages: ['en'] } });
    const { text } = await api.call('GET', PATH);
    expect(text).not.toMatch(/^(?:Canonical|Policy):/m);
    expect(text).toMatch(/^Preferred-Languages: en$/m);
  });
});
