import { settableClock } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from './unsubscribe-tokens.ts';

const secret = Buffer.from('a secret of the sessions');
const id = '0198a1b2-0000-7000-8000-000000000001';

describe('an unsubscribe token', () => {
  it('names its target for ninety days', () => {
    const clock = settableClock();
    const tokens = createUnsubscribeTokens(secret, clock);
    const token = tokens.issue(id);
    expect(encodeURIComponent(token)).toBe(token);
    clock.advance(89 * 86_400_000);
    expect(createUnsubscribeTokens(secret, clock).read(token)).toBe(id);
    clock.advance(86_400_000);
    expect(tokens.read(token)).toBeNull();
  });

  it('is refused when it was changed, made under another secret, or is none', () => {
    const clock = settableClock();
    const tokens = createUnsubscribeTokens(secret, clock);
    const token = tokens.issue(id);
    const other = createUnsubscribeTokens(Buffer.from('another secret'), clock);
    expect(other.read(token)).toBeNull();
    const forged = [token.replace('0001.', '0002.'), token.replace(/\.\d+\./, '.99999999999.'), token.slice(0, -1)];
    for (const one of [...forged, '', 'a.b.c', `${id}.99999999999.`, id])
      expect([one, tokens.read(one)]).toEqual([one, null]);
  });
});
