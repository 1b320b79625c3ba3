import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embeddedIpv4, isPublicAddress } from './public-address.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::1',
  '2001:db8::1',
  '2001::1',
  'not an address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '140.82.121.4',
  '172.15.0.1',
  '172.32.0.1',
  '2606:50c0:8000::64',
  '::ffff:1.1.1.1',
  '64:ff9b::8c52:7904',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

/** The same ranges by Node's own reader of addresses. */
const ranges = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [network = '', length] = range.split('/');
  ranges.addSubnet(network, Number(length), 'ipv4');
}
ranges.addAddress('168.63.129.16', 'ipv4');

test('agrees with Node on any IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(address)).toBe(!ranges.check(address, 'ipv4'));
    }),
  );
});

test('takes no text for an address that Node does not', () => {
  const part = fc.constantFrom(
    '1',
    '10',
    '::',
    ':',
    '.',
    'ffff',
    '2606',
    '01',
    '1.1.1.1',
    '0x8',
    ' ',
    '%eth0',
    ']',
    '/',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const text = parts.join('');
      if (isPublicAddress(text)) expect(isIP(text)).not.toBe(0);
      if (embeddedIpv4(text) !== null) expect(isIP(text)).toBe(6);
    }),
    { numRuns: 2_000 },
  );
});
