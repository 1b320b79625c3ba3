import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostLookup, HostResolver } from '@sluice/core/network';
import { type KnownName, type NameServer, startNameServer, untilFound } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHostResolver } from './create-host-resolver.ts';

const never = new AbortController().signal;
const hanging: KnownName = { after: { A: 'never', AAAA: 'never' } };
const names = new Map<string, KnownName>();
let server: NameServer;
let folder: string;
let hosts: HostResolver;

beforeAll(async () => {
  server = await startNameServer((name) => names.get(name) ?? (name.endsWith('.hangs.example') ? hanging : null));
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  names.clear();
  server.asked.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'sluice-dns-'));
  writeHosts('127.0.0.1 localhost\n');
  writeSettings('options ndots:1');
  hosts = createHostResolver({ hosts: join(folder, 'hosts'), settings: join(folder, 'resolv.conf') });
});
afterEach(() => rmSync(folder, { recursive: true }));

const writeHosts = (text: string) => writeFileSync(join(folder, 'hosts'), text);
const writeSettings = (...lines: string[]) =>
  writeFileSync(join(folder, 'resolv.conf'), [`nameserver 127.0.0.1:${server.port}`, ...lines, ''].join('\n'));
const resolve = (host: string, owner = 'somebody', signal = never) => hosts.resolve(host, { owner, signal });
const addressesOf = async (host: string) => {
  const lookup = await resolve(host);
  return lookup.kind === 'found' ? lookup.addresses : lookup.reason;
};

describe('the addresses of a name', () => {
  it('are those of both families, IPv4 first, in any spelling of the name', async () => {
    names.set('both.example', { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] });
    names.set('xn--bcher-kva.example', { AAAA: ['2001:db8::5'] });
    expect(await addressesOf('both.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await addressesOf('Both.Example.')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await addressesOf(new URL('https://bücher.example/').hostname)).toEqual(['2001:db8::5']);
  });

  it('are those behind an alias', async () => {
    names.set('www.example', { alias: 'pages.example', A: ['192.0.2.7'], AAAA: ['2001:db8::7'] });
    expect(await addressesOf('www.example')).toEqual(['192.0.2.7', '2001:db8::7']);
  });

  it('are asked for over TCP when the answer is too long', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `192.0.2.${index + 1}`);
    names.set('many.example', { isTruncated: true, A: many });
    expect(await addressesOf('many.example')).toEqual(many);
    expect(server.asked).toContain('A many.example tcp');
  });

  it('are those of one family when the other is never answered, fails, or comes late', async () => {
    names.set('four.example', { A: ['192.0.2.4'], after: { AAAA: 'never' } });
    names.set('six.example', { AAAA: ['2001:db8::6'], after: { A: 'never' } });
    names.set('late.example', { A: ['192.0.2.5'], AAAA: ['2001:db8::5'], after: { AAAA: 200 } });
    const found = await Promise.all(['four.example', 'six.example', 'late.example'].map(addressesOf));
    expect(found).toEqual([['192.0.2.4'], ['2001:db8::6'], ['192.0.2.5', '2001:db8::5']]);
  });

  it('are an address itself, which no server is asked for, and never that of a numeric name', async () => {
    expect(await addressesOf('192.0.2.9')).toEqual(['192.0.2.9']);
    expect(await addressesOf('2001:db8::9')).toEqual(['2001:db8::9']);
    for (const numeric of ['127.1', '0x7f.1', '2130706433', 'a b', '', '.', 'a..example', '*.example', 'x'.repeat(64)])
      expect([numeric, await addressesOf(numeric)]).toEqual([numeric, 'unknown']);
    expect(server.asked).toEqual([]);
  });

  it('are none when the name is unknown, has no address, or its server fails', async () => {
    names.set('empty.example', {});
    names.set('broken.example', { status: 'SERVFAIL' });
    expect(await addressesOf('absent.example')).toBe('unknown');
    expect(await addressesOf('empty.example')).toBe('unknown');
    expect(await addressesOf('broken.example')).toBe('no_answer');
  });
});

describe('the hosts file', () => {
  it('comes before name servers, and is read again when it changes', async () => {
    names.set('git.corp', { A: ['192.0.2.1'] });
    expect(await addressesOf('git.corp')).toEqual(['192.0.2.1']);
    writeHosts('# ours\n::1 localhost git.corp # both\n10.0.0.7\tgit.corp  GIT-2.corp\nnonsense git.corp\n');
    expect(await addressesOf('git.corp')).toEqual(['10.0.0.7', '::1']);
    expect(await addressesOf('git-2.corp.')).toEqual(['10.0.0.7']);
    rmSync(join(folder, 'hosts'));
    expect(await addressesOf('git.corp')).toEqual(['192.0.2.1']);
  });

  it('says what localhost is; names below it, and it where the file is silent, never leave this host', async () => {
    expect(await addressesOf('localhost')).toEqual(['127.0.0.1']);
    expect(await addressesOf('app.localhost')).toEqual(['127.0.0.1', '::1']);
    writeHosts('');
    expect(await addressesOf('LOCALHOST.')).toEqual(['127.0.0.1', '::1']);
    expect(await addressesOf('notlocalhost')).toBe('unknown');
    expect(server.asked).toEqual(['A notlocalhost', 'AAAA notlocalhost']);
  });
});

describe('the search list', () => {
  it('is used as the system does: before the name itself when it has too few dots, and after it otherwise', async () => {
    writeSettings('search one.corp two.corp.', 'options timeout:9 ndots:2');
    names.set('git.two.corp', { A: ['192.0.2.1'] });
    names.set('hooks.example.com.one.corp', { A: ['192.0.2.2'] });
    expect(await addressesOf('git')).toEqual(['192.0.2.1']);
    expect(await addressesOf('hooks.example.com')).toEqual(['192.0.2.2']);
    const questions = server.asked.filter((one) => one.startsWith('A '));
    expect(questions).toEqual([
      ...['A git.one.corp', 'A git.two.corp'],
      ...['A hooks.example.com', 'A hooks.example.com.one.corp'],
    ]);
    expect(await addressesOf('git.')).toBe('unknown');
  });

  it('and the name servers are read again when their file changes, and recent failures are forgotten', async () => {
    names.set('git.new.corp', { A: ['192.0.2.3'] });
    expect(await addressesOf('git')).toBe('unknown');
    writeSettings('domain new.corp');
    expect(await addressesOf('git')).toEqual(['192.0.2.3']);
    await using other = await startNameServer(() => ({ A: ['192.0.2.99'] }));
    writeFileSync(
      join(folder, 'resolv.conf'),
      `nameserver [::ffff:127.0.0.1]:nonsense\nnameserver 127.0.0.1:99999\nnameserver 127.0.0.1:${other.port}\n`,
    );
    expect(await addressesOf('anything.example')).toEqual(['192.0.2.99']);
  });
});

describe('a name that never answers', () => {
  it('ends within seconds, and is not asked for again at once', async () => {
    const began = performance.now();
    expect(await resolve('dead.hangs.example')).toEqual({ kind: 'unresolved', reason: 'no_answer' });
    expect(performance.now() - began).toBeLessThan(8_000);
    const asked = server.asked.length;
    expect(await addressesOf('dead.hangs.example')).toBe('no_answer');
    expect(server.asked).toHaveLength(asked);
  });

  it('ends with the signal, and frees its turn and its sockets', async () => {
    const sockets = () => readdirSync('/proc/self/fd').length;
    const before = sockets();
    for (let round = 0; round < 10; round += 1) {
      const cancel = new AbortController();
      const all = Array.from({ length: 40 }, (_, index) =>
        resolve(`n${round}-${index}.hangs.example`, 'attacker', cancel.signal),
      );
      cancel.abort(new Error('enough'));
      for (const one of await Promise.allSettled(all)) expect(one).toMatchObject({ reason: { message: 'enough' } });
    }
    names.set('good.example', { A: ['192.0.2.1'] });
    expect(await addressesOf('good.example')).toEqual(['192.0.2.1']);
    await expect.poll(sockets).toBeLessThan(before + 20);
  });

  it('of one user leaves the look-ups of another as they are, and more than the user may have at once are refused', async () => {
    names.set('hook.example', { A: ['192.0.2.1'] });
    const cancel = new AbortController();
    const attack: Promise<HostLookup | 'cancelled'>[] = Array.from({ length: 80 }, (_, index) =>
      resolve(`n${index}.hangs.example`, 'attacker', cancel.signal).catch(() => 'cancelled'),
    );
    const known = await Promise.all(attack.slice(72)); // eight ask, and sixty-four wait
    expect(known).toEqual(Array.from({ length: 8 }, () => ({ kind: 'unresolved', reason: 'too_many' })));
    await untilFound(async () => server.asked.find((one) => one === 'A n7.hangs.example'));
    expect(await resolve('hook.example', 'victim')).toEqual({ kind: 'found', addresses: ['192.0.2.1'] });
    expect(server.asked.filter((one) => /^A n(?:[89]|\d\d)\./.test(one))).toEqual([]);
    cancel.abort();
    expect(new Set(await Promise.all(attack.slice(0, 72)))).toEqual(new Set(['cancelled']));
  });

  it('gives its turn to the user with the fewest when users fill all turns', async () => {
    names.set('hook.example', { A: ['192.0.2.1'] });
    const [first, others] = [new AbortController(), new AbortController()];
    const crowd = Array.from({ length: 16 }, (_, owner) =>
      Array.from({ length: 12 }, (_, index) => {
        const { signal } = owner === 0 && index === 0 ? first : others;
        return resolve(`n${index}-${owner}.hangs.example`, `attacker-${owner}`, signal).catch(() => null);
      }),
    ).flat();
    await untilFound(async () => (server.asked.filter((one) => one.startsWith('A n')).length >= 128 ? true : null));
    const waiting = resolve('hook.example', 'victim');
    first.abort();
    expect(await waiting).toEqual({ kind: 'found', addresses: ['192.0.2.1'] });
    expect(server.asked.filter((one) => one.startsWith('A n'))).toHaveLength(128);
    others.abort();
    await Promise.all(crowd);
  });
});
