import type { Session } from '@sluice/core/account';
import { newId, settableClock } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createSessionTokens } from './session-tokens.ts';

const secret = new Uint8Array(32).fill(7);

function aSession(from: Date, seconds: number): Session {
  return {
    id: newId<Session['id']>(),
    userId: newId<Session['userId']>(),
    client: null,
    oidcIssuer: null,
    createdAt: from,
    expiresAt: new Date(from.getTime() + 1_000 * seconds),
    lastSeenAt: from,
    idleEndsAt: null,
    mustEnroll: false,
  };
}

it('takes a token as long as its time lasts, however often it was taken before', async () => {
  const clock = settableClock();
  const tokens = createSessionTokens({ clock }, secret);
  const session = aSession(clock.now(), 60);
  const token = await tokens.sign(session);
  const named = { userId: session.userId, sessionId: session.id };
  expect(await tokens.verify(token)).toEqual(named);
  expect(await tokens.verify(token)).toEqual(named);
  clock.advance(59_000);
  expect(await tokens.verify(token)).toEqual(named);
  clock.advance(1_000);
  expect(await tokens.verify(token)).toBeNull();
});

it('takes no token that is like one it has taken, and none of another secret', async () => {
  const clock = settableClock();
  const tokens = createSessionTokens({ clock }, secret);
  const token = await tokens.sign(aSession(clock.now(), 60));
  expect(await tokens.verify(token)).not.toBeNull();
  const last = token.at(-5) === 'A' ? 'B' : 'A';
  expect(await tokens.verify(`${token.slice(0, -5)}${last}${token.slice(-4)}`)).toBeNull();
  expect(await createSessionTokens({ clock }, new Uint8Array(32).fill(8)).verify(token)).toBeNull();
});

it('goes on taking tokens of more sessions than it remembers', async () => {
  const clock = settableClock();
  const tokens = createSessionTokens({ clock }, secret);
  const all = await Promise.all(Array.from({ length: 1_100 }, () => tokens.sign(aSession(clock.now(), 60))));
  for (const token of [...all, ...all]) expect(await tokens.verify(token)).not.toBeNull();
});
