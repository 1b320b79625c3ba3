import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loginCodeOf } from './login-code.ts';

const aChallenge = () => createHash('sha256').update(randomBytes(32)).digest('base64url');

describe('the code of a login', () => {
  it('is short, easy to compare, and the same for the same challenge', () => {
    const challenge = aChallenge();
    expect(loginCodeOf(challenge)).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(loginCodeOf(challenge)).toBe(loginCodeOf(challenge));
    expect(loginCodeOf('AAAAAAAAAAAA_rest')).toBe('0000-0000-0000');
    expect(loginCodeOf('____________')).toBe('ZZZZ-ZZZZ-ZZZZ');
  });

  it('is another for another challenge', () => {
    const codes = new Set(Array.from({ length: 1_000 }, () => loginCodeOf(aChallenge())));
    expect(codes.size).toBe(1_000);
  });
});
