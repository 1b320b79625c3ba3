import { hashApiToken, renderApiToken } from '@sluice/core/api-token';
import { aNewApiToken, isSoakRun } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTokenActor } from '../src/identity/session/find-token-actor.ts';
import { type RunningApi, startApi } from './start-api.ts';

// In the short run few pairs, which find what takes twice as long; in the soak what takes a tenth longer.
const pairs = isSoakRun ? 2_000 : 100;
/**
 * The statistic of two samples of one distribution differs from a half by so much: five times that is chance once in a
 * million.
 */
const bound = Math.max(0.05, 5 * Math.sqrt(1 / (6 * pairs)));

let api: RunningApi;
const texts = { malformed: 'slc_x', unknown: newText(), revoked: newText(), disabled: newText() };

function newText(): string {
  return renderApiToken(crypto.getRandomValues(new Uint8Array(32)));
}

beforeAll(async () => {
  api = await startApi({ takesApiTokens: true });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const made = async (text: string) => {
    const { user } = await api.login();
    const token = aNewApiToken({ userId: user.id, expiresAt, hash: hashApiToken(text) });
    await api.stores.apiTokens.create(token);
    return { user, token };
  };
  await api.stores.apiTokens.revoke((await made(texts.revoked)).token.id);
  await api.stores.users.disable((await made(texts.disabled)).user.id);
});
afterAll(() => api[Symbol.asyncDispose]());

async function timed(text: string): Promise<number> {
  const deps = { ...api.deps, noteTokenUse: async () => undefined };
  const begun = performance.now();
  expect(await findTokenActor(deps, { text, userAgent: undefined })).toMatchObject({ code: 'token_invalid' });
  return performance.now() - begun;
}

/** How often the second one takes longer than the first one (Mann and Whitney's statistic): a half when they are alike. */
function oftenLonger(first: readonly number[], second: readonly number[]): number {
  let wins = 0;
  for (const one of first) for (const other of second) wins += other > one ? 1 : other === one ? 0.5 : 0;
  return wins / (first.length * second.length);
}

describe('the time of a 401', () => {
  it.each(['malformed', 'revoked', 'disabled'] as const)(
    'does not tell a token that is unknown from one that is %s',
    async (kind) => {
      const [unknown, other]: [number[], number[]] = [[], []];
      for (let pair = 0; pair < pairs; pair += 1) {
        if (pair % 2 === 0) unknown.push(await timed(texts.unknown));
        other.push(await timed(texts[kind]));
        if (pair % 2 === 1) unknown.push(await timed(texts.unknown));
      }
      const statistic = oftenLonger(unknown, other);
      // A row that is found has to be read: that takes some microseconds, which the network hides from who asks.
      const [least, most] = [median(unknown), median(other)];
      if (isSoakRun)
        console.info(`${kind}: AUC ${statistic.toFixed(4)}, medians ${least.toFixed(4)} and ${most.toFixed(4)} ms`);
      expect(Math.abs(statistic - 0.5) < bound || Math.abs(most - least) < 0.25).toBe(true);
    },
  );
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
