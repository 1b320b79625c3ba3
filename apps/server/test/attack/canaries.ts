import { randomBytes } from 'node:crypto';

/** Secrets by the name of where they lie. Each is random, so that one that comes out names its source. */
export interface Canaries {
  /** The canary of a place; the same one each time. Letters and digits, so that no quoting changes it. */
  of(place: string): string;
  /** Takes over a secret that the service made for itself. */
  adopt(place: string, secret: string): void;
  /** Places whose canary stands in a text, also when it was encoded as an attacker would. */
  leaksIn(text: string): string[];
  readonly count: number;
}

const PREFIX = 'cnry';

export function plantCanaries(): Canaries {
  const byPlace = new Map<string, { secret: string; forms: readonly string[] }>();
  const adopt = (place: string, secret: string) => byPlace.set(place, { secret, forms: formsOf(secret) });
  return {
    of(place) {
      // 32 characters: as many as an encryption key has bytes.
      if (!byPlace.has(place)) adopt(place, `${PREFIX}${randomBytes(14).toString('hex')}`);
      return byPlace.get(place)?.secret ?? '';
    },
    adopt,
    leaksIn(text) {
      const lower = text.toLowerCase();
      const squeezed = lower.replaceAll(/[^a-z0-9]/g, '');
      return [...byPlace]
        .filter(([, { secret, forms }]) => {
          const plain = secret.toLowerCase();
          return lower.includes(plain) || squeezed.includes(plain) || forms.some((form) => text.includes(form));
        })
        .map(([place]) => place);
    },
    get count() {
      return byPlace.size;
    },
  };
}

/** A secret as hex, backwards, and as the part of a base64 that does not depend on what stands around it. */
function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${' '.repeat(shift)}${secret}`).toString('base64');
    return whole.slice(4, 4 + Math.floor((secret.length - 3) / 3) * 4 - 4);
  });
  return [Buffer.from(secret).toString('hex'), [...secret].toReversed().join(''), ...base64];
}
