import { describe, expect, it } from 'vitest';
import { isAllowHostsEntry, NOT_PUBLIC, notificationAddress } from './notification-address.ts';

const allowed = ['chat.lan', '*.corp.test:8443', '10.0.0.5', '127.0.0.1:4010', '[::1]:4010'];
const check = (url: string) => {
  const address = notificationAddress(url, allowed);
  return typeof address === 'string' ? address : [address.host, address.port, address.mayBePrivate];
};

describe('the address of a webhook', () => {
  it.each([
    ['https://hooks.example.test/a?b=c', ['hooks.example.test', 443, false]],
    ['https://hooks.example.test:8443', ['hooks.example.test', 8443, false]],
    ['https://93.184.215.14/', ['93.184.215.14', 443, false]],
    ['http://chat.lan/hooks/1', ['chat.lan', 80, true]],
    ['https://a.corp.test:8443/', ['a.corp.test', 8443, true]],
    ['https://10.0.0.5/', ['10.0.0.5', 443, true]],
    ['http://127.0.0.1:4010/', ['127.0.0.1', 4010, true]],
    ['http://[::1]:4010/', ['::1', 4010, true]],
  ])('may be %s', (url, expected) => {
    expect(check(url)).toEqual(expected);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.1.2.3]/',
    'https://[fd00::1]/',
    'https://10.0.0.6/',
    'https://10.0.0.5:8443/',
    'https://127.0.0.1:4011/',
  ])('may not be %s, in whatever spelling', (url) => {
    expect(check(url)).toBe(NOT_PUBLIC);
  });

  it.each([
    ['hooks.example.test', /not an http/],
    ['ftp://hooks.example.test/', /not an http/],
    ['http://hooks.example.test/', /not https/],
    ['http://chat.lan:81/', /not https/],
    ['https://user:secret@hooks.example.test/', /user name/],
    ['https://hooks.example.test./', /dot/],
    ['https://hooks.example.test:0/', /port 0/],
  ])('may not be %s', (url, reason) => {
    expect(check(url)).toMatch(reason);
  });

  it('is allowed by entries that are a name, a wildcard or an address, with or without a port', () => {
    for (const entry of allowed) expect([entry, isAllowHostsEntry(entry)]).toEqual([entry, true]);
    for (const entry of ['', '*', 'https://a.test', 'a.test/x', '::1', '0x7f.1', '10.0.0.0/8', 'a b', 'u@10.0.0.5'])
      expect([entry, isAllowHostsEntry(entry)]).toEqual([entry, false]);
  });
});
