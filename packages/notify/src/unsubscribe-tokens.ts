import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@sluice/core/async';
import type { UnsubscribeTokens } from '@sluice/core/notification';

const VALID_MS = 90 * 86_400_000; // as long as people may look into an old e-mail
const PURPOSE = 'sluice notification unsubscribe v1';

/**
 * Tokens that are signed with a key of their own, which is derived from the secret: no token for anything else has its form,
 * and none of these is taken for one.
 */
export function createUnsubscribeTokens(secret: Uint8Array, clock: Clock): UnsubscribeTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32));
  const sign = (claim: string) => createHmac('sha256', key).update(claim).digest();
  return {
    issue(targetId) {
      const claim = `${targetId}.${Math.floor((clock.now().getTime() + VALID_MS) / 1_000)}`;
      return `${claim}.${sign(claim).toString('base64url')}`;
    },
    read(token) {
      const [, claim = '', targetId = '', until, given = ''] = /^(([^.]+)\.(\d{1,12}))\.([\w-]+)$/.exec(token) ?? [];
      const mac = Buffer.from(given, 'base64url');
      const expected = sign(claim);
      if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return null;
      return Number(until) * 1_000 > clock.now().getTime() ? targetId : null;
    },
  };
}
