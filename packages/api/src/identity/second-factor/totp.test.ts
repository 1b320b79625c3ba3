import { expect, it } from 'vitest';
import { matchingStep, otpauthUri, secretOfEnrollment } from './totp.ts';

const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'; // "12345678901234567890"
const at = (seconds: number, lastStep = 0) => ({ now: new Date(seconds * 1_000), lastStep });

// RFC 6238, appendix B, SHA-1: the last six of its eight digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('takes the code of RFC 6238 at %i s', (seconds, code) => {
  expect(matchingStep(RFC_SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  expect(matchingStep(RFC_SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, at(seconds))).not.toBeNull();
});

it('takes codes of clocks that are up to one step off, and none beyond', () => {
  const step = Math.floor(1_111_111_111 / 30);
  const begin = step * 30;
  const taken = [-31, -30, -1, 0, 29, 30, 59, 60].map((skew) => matchingStep(RFC_SECRET, '050471', at(begin + skew)));
  expect(taken).toEqual([null, step, step, step, step, step, step, null]);
});

it('takes no step twice, and none before the last one', () => {
  const step = Math.floor(1_111_111_111 / 30);
  expect(matchingStep(RFC_SECRET, '050471', at(1_111_111_111, step - 1))).toBe(step);
  expect(matchingStep(RFC_SECRET, '050471', at(1_111_111_111, step))).toBeNull();
});

it.each(['', '05047', '0504711', 'abcdef', '０５０４７１', '-50471', '5e4711'])('takes %j for no code', (code) => {
  expect(matchingStep(RFC_SECRET, code, at(1_111_111_111))).toBeNull();
});

it('derives another secret for each enrollment and server', () => {
  const secrets = [secretOfEnrollment(new Uint8Array(32).fill(1), 'a'), secretOfEnrollment(new Uint8Array(32), 'a')];
  secrets.push(secretOfEnrollment(new Uint8Array(32), 'b'));
  expect(new Set(secrets).size).toBe(3);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it('writes an address that apps read', () => {
  const url = new URL(otpauthUri(RFC_SECRET, 'ada@example.com'));
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toContain('Sluice:ada@example.com');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Sluice',
    secret: RFC_SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
