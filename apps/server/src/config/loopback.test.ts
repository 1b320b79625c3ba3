import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '[::1]', '0:0:0:0:0:0:0:1'])(
  'recognizes %s as loopback',
  (host) => expect(isLoopback(host)).toBe(true),
);

it.each([
  '0.0.0.0',
  '::',
  '[::]',
  '10.0.0.1',
  '128.0.0.1',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '2130706433',
  '',
])('does not treat "%s" as loopback', (host) => expect(isLoopback(host)).toBe(false));
