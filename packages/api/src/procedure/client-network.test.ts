import { expect, it } from 'vitest';
import { clientNetwork } from './client-network.ts';

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::0.0.0.1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::2%eth1', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
])('counts %s as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

it.each(['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9:81'])(
  'counts %s as the IPv4 address that it is',
  (address) => {
    expect(clientNetwork(address)).toBe('203.0.113.9');
  },
);

it.each(['', 'x1', 'unknown', '203.0.113.09', '2001:db8::1::2', '1'.repeat(10_000), '[', '[]', '%eth0'])(
  'counts what is no address together: %s',
  (address) => {
    expect(clientNetwork(address)).toBe('unknown');
  },
);
