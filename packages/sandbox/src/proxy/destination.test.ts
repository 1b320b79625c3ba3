import { matchesHost, parseHostPattern } from '@sluice/core/network';
import { scriptedHosts } from '@sluice/testing';
import { expect, test } from 'vitest';
import { createDestinations } from './destination.ts';

const question = { owner: 'user-1', signal: new AbortController().signal };
const patterns = (...entries: string[]) => entries.map(parseHostPattern).filter((pattern) => pattern !== null);

test.each([
  ['registry.example', 'registry.example', 443, true],
  ['registry.example', 'registry.example', 80, true],
  ['registry.example', 'registry.example', 22, false],
  ['registry.example', 'evil-registry.example', 443, false],
  ['registry.example', 'registry.example.evil', 443, false],
  ['registry.example', 'sub.registry.example', 443, false],
  ['*.example.org', 'a.b.example.org', 443, true],
  ['*.example.org', 'example.org', 443, false],
  ['*.example.org', 'evilexample.org', 443, false],
  ['mirror.example:4873', 'mirror.example', 4873, true],
  ['mirror.example:4873', 'mirror.example', 443, false],
  ['Registry.Example', 'registry.example', 443, true],
])('an entry %s lets %s:%d through: %s', (...row) => {
  const [entry, host, port, expected] = row;
  expect(matchesHost(patterns(entry), host, port)).toBe(expected);
});

test('accepts no address and no lone star as an entry', () => {
  for (const entry of [
    '*',
    '*.',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '::1',
    '[::1]:80',
    'a b',
    '',
    'https://a.example',
    'a.example/x',
    'a..b',
  ]) {
    expect([entry, parseHostPattern(entry)]).toEqual([entry, null]);
  }
});

test('allows a listed name only with a public address, in any spelling of the address', async () => {
  const found = (address: string) =>
    createDestinations({
      allowHosts: ['a.example'],
      allowPrivateHosts: [],
      hosts: scriptedHosts(() => [address]),
      question,
    }).find('a.example:443');
  const closed = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
  ].concat([
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    '2001::1',
    'no address',
  ]);
  for (const address of closed)
    expect([address, await found(address)]).toEqual([
      address,
      `${address} is not a public address (a mirror of yours: ALLOW_PRIVATE_HOSTS)`,
    ]);
  for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::200e']) {
    expect(await found(address)).toEqual({ address, port: 443, tlsName: 'a.example' });
  }
});

test('resolves a name once and keeps the address, even if its owner changes it', async () => {
  const answers = ['8.8.8.8', '127.0.0.1'];
  const destinations = createDestinations({
    allowHosts: ['a.example'],
    allowPrivateHosts: [],
    hosts: scriptedHosts(() => answers.splice(0, 1)),
    question,
  });
  const both = await Promise.all([destinations.find('a.example:443'), destinations.find('A.example.:443')]);
  expect([...both, await destinations.find('a.example:443')]).toEqual(
    Array.from({ length: 3 }, () => ({ address: '8.8.8.8', port: 443, tlsName: 'a.example' })),
  );
});

test('asks for a name again that had no address, by the owner of the command', async () => {
  const asked: string[] = [];
  const hosts = scriptedHosts((host, { owner }) => (asked.push(`${host} ${owner}`) === 1 ? [] : ['8.8.8.8']));
  const { find } = createDestinations({ allowHosts: ['a.example'], allowPrivateHosts: [], hosts, question });
  expect(await find('a.example:443')).toBe('its name could not be resolved');
  expect(await find('a.example:443')).toMatchObject({ address: '8.8.8.8' });
  expect(asked).toEqual(['a.example user-1', 'a.example user-1']);
});

test('refuses addresses, names that are not listed, and listed names with a private address unless the operator allows it', async () => {
  const hosts = scriptedHosts((host) => (host === 'gone.example' ? [] : ['10.0.0.7']));
  const rules = {
    allowHosts: ['inner.example', 'gone.example', 'mirror.example'],
    allowPrivateHosts: ['mirror.example'],
    hosts,
    question,
  };
  const { find } = createDestinations(rules);
  expect(await find('10.0.0.7:443')).toContain('not addresses');
  expect(await find('[::1]:443')).toContain('not addresses');
  expect(await find('0x0a000007:443')).toContain('not addresses');
  expect(await find('user@inner.example:443')).toContain('not addresses');
  expect(await find('other.example:443')).toContain('SETUP_ALLOW_HOSTS');
  expect(await find('inner.example:443')).toContain('10.0.0.7 is not a public address');
  expect(await find('gone.example:443')).toContain('resolved');
  expect(await find('mirror.example:443')).toMatchObject({ address: '10.0.0.7', port: 443 });
});

test.each([
  ['host.example', 443, 'host.example'],
  ['host.example', 80, 'host.example'],
  ['host.example:443', 443, 'host.example'],
  ['*.example:443', 443, 'host.example'],
  ['host.example:80', 80, null],
  ['*.example:8443', 8443, null],
])('by the entry %s, a tunnel to port %d must ask for the name %s', async (entry, port, tlsName) => {
  const rules = { allowHosts: [entry], allowPrivateHosts: [], hosts: scriptedHosts(() => ['8.8.8.8']), question };
  expect(await createDestinations(rules).find(`HOST.example.:${port}`)).toMatchObject({ port, tlsName });
});
