import { expect, it } from 'vitest';
import { addressKey } from './current-repo.ts';

it.each([
  'https://github.com/acme/shop',
  'https://github.com/Acme/Shop.git',
  'https://user@github.com/acme/shop/',
  'git@github.com:acme/shop.git',
  'ssh://git@github.com:22/acme/shop.git',
  'github.com:acme/shop',
])('reads %s as the repository that is registered by its HTTPS URL', (address) => {
  expect(addressKey(address, '/home/ada')).toBe('https://github.com/acme/shop');
});

it('reads a relative path from the folder of the repository, and other schemes not at all', () => {
  expect(addressKey('../origin.git', '/home/ada/clone')).toBe('/home/ada/origin.git');
  expect(addressKey('file:///srv/shop', '/')).toBe('/srv/shop');
  expect(addressKey('https://git.example.com/acme/shop', '/')).not.toBe(addressKey('/acme/shop', '/'));
  expect(addressKey('codecommit://acme/shop', '/')).toBeNull();
});
