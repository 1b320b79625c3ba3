import type { UserId } from '@sluice/core/id';
import { aNewUser, isSoakRun, newId } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFailedLoginCounts } from '../src/identity/login/failed-login-counts.ts';
import { createLoginDelay } from '../src/identity/login/login-delay.ts';
import { createPasswords, type Passwords } from '../src/identity/login/passwords.ts';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import type { RequestContext } from '../src/procedure/request-context.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';
import { type RunningApi, startApi } from './start-api.ts';

// A cheaper hash hides less of the work around it; `LOGIN_TIMING_COST=usual` takes that of real passwords. More pairs make
// the bound tighter.
const { LOGIN_TIMING_PAIRS, LOGIN_TIMING_COST = 'low' } = process.env;
const pairs = Number(LOGIN_TIMING_PAIRS ?? (isSoakRun ? 2_000 : 40));
const low = { algorithm: 2, memoryCost: 4_096, timeCost: 2, parallelism: 1 };
const passwords = LOGIN_TIMING_COST === 'low' ? createPasswords(low) : createPasswords();

// The statistic of two samples of one distribution differs from a half by so much, which shrinks with their number:
// five times that is passed by chance once in a million runs. From some 1,700 pairs on the bound is a twentieth.
const bound = Math.max(0.05, 5 * Math.sqrt(1 / (6 * pairs)));

let api: RunningApi;
const emails = { unknown: 'nobody@example.test', known: '', disabled: '', passwordless: '' };
beforeAll(async () => {
  api = await startApi();
  const { users, codehostLinks } = api.stores;
  const register = async () => {
    const made = await users.create(aNewUser({ passwordHash: await passwords.hash('correct horse battery') }));
    if (made.kind !== 'created') throw new Error('The user was not created.');
    return made.user;
  };
  emails.known = (await register()).email ?? '';
  const disabled = await register();
  await users.disable(disabled.id);
  emails.disabled = disabled.email ?? '';
  const id = newId<UserId>();
  const account = { id: '41', login: 'ada', name: null, avatarUrl: null };
  const grantOf = () => ({ encryptedToken: { encrypted: 'k:x', nonce: 'n' }, expiresAt: null });
  await codehostLinks.signIn(account, grantOf, { id, onlyIfFirst: false });
  emails.passwordless = 'ada@example.test';
  await users.changeAccount(id, { email: emails.passwordless, keep: null });
});
afterAll(() => api[Symbol.asyncDispose]());

/** The CPU time of this process so far, in ms: a busy machine cannot distort it. */
const computed = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Logs in in vain. @returns how long that took by that clock, in ms */
async function timed(email: string, by: Passwords = passwords, clock = () => performance.now()): Promise<number> {
  const ctx = {
    ...api.deps,
    options: api.options,
    passwords: by,
    failedLogins: createFailedLoginCounts(api.deps),
    // Its waits are the same for all, and longer than what is measured here.
    loginDelay: { ...createLoginDelay(api.deps.limiter), wait: async () => undefined },
    tokens: createSessionTokens(api.deps, api.options.sessionSecret),
    admit: async () => ({ actor: null, settle: null }),
    head: {}, // a program's, not a page's
    signal: new AbortController().signal,
  } as unknown as RequestContext;
  const begun = clock();
  await expect(appRouter.createCaller(ctx).auth.login({ email, password: 'a wrong password' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
  return clock() - begun;
}

/** How often the second one takes longer than the first one (Mann and Whitney's statistic): a half when they are alike. */
function oftenLonger(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((ms) => ({ ms, rank: 0 })), ...second.map((ms) => ({ ms, rank: 1 }))];
  const sorted = all.toSorted((a, b) => a.ms - b.ms);
  let before = 0;
  let wins = 0;
  for (const { rank } of sorted) {
    if (rank === 0) before += 1;
    else wins += before;
  }
  return wins / (first.length * second.length);
}

/** Both in turn, each of them first as often as the other: what else the machine does befalls both. */
async function compared(one: () => Promise<number>, other: () => Promise<number>): Promise<number> {
  const [first, second]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) first.push(await one());
    second.push(await other());
    if (pair % 2 === 1) first.push(await one());
  }
  const statistic = oftenLonger(first, second);
  if (isSoakRun) console.info(`${pairs} pairs: AUC ${statistic.toFixed(4)}, bound ${bound.toFixed(3)}`);
  return statistic;
}

const unknown = () => timed(emails.unknown);

describe('the time of a login that fails', () => {
  it.each(['known', 'disabled', 'passwordless'] as const)(
    'does not tell an e-mail that is unknown from one that is %s',
    async (kind) => {
      const statistic = await compared(unknown, () => timed(emails[kind]));
      expect(Math.abs(statistic - 0.5)).toBeLessThan(bound);
    },
  );

  it('would tell them apart if nothing were hashed for one of them', async () => {
    const careless: Passwords = {
      ...passwords,
      verify: async (hash, password) => hash !== null && passwords.verify(hash, password),
    };
    const statistic = await compared(
      () => timed(emails.unknown, careless, computed),
      () => timed(emails.known, careless, computed),
    );
    expect(statistic).toBeGreaterThan(0.5 + bound);
  });

  it('would tell them apart if something were hashed twice for one of them', async () => {
    const twice: Passwords = {
      ...passwords,
      verify: async (hash, password) => {
        if (hash !== null) await passwords.hash(password);
        return await passwords.verify(hash, password);
      },
    };
    const statistic = await compared(
      () => timed(emails.unknown, passwords, computed),
      () => timed(emails.known, twice, computed),
    );
    expect(statistic).toBeGreaterThan(0.5 + bound);
  });
});
