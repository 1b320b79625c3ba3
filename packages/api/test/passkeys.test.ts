import { settableClock } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byPassword, enrollApp, limiter, logIn, opened, PASSWORD, userWithPassword } from './second-factor-user.ts';
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts';
import { type Answer, type Login, type RunningApi, startApi } from './start-api.ts';

const clock = settableClock();
const origin = 'https://sluice.example.com';
const site = 'sluice.example.com';
const page = { origin, site };

let api: RunningApi;
beforeAll(async () => {
  api = await startApi({ clock, ports: { limiter: limiter() }, publicUrl: new URL(origin) });
});
afterAll(() => api[Symbol.asyncDispose]());

const begin = (as: Login) =>
  api.call('POST', '/api/auth/second-factors/passkey', { as, json: { current_password: PASSWORD } });
const toSign = ({ body }: Answer) => (body.options as { challenge: string }).challenge;
const add = (as: Login, challenge: unknown, credential: unknown) =>
  api.call('POST', '/api/auth/second-factors', { as, json: { challenge, name: 'Key', credential } });

async function enroll(as: Login, device: SoftwareAuthenticator): Promise<Answer> {
  const begun = await begin(as);
  return await add(as, begun.body.challenge, device.create({ ...page, challenge: toSign(begun) }));
}

async function keyUser(counter = 1) {
  const user = await userWithPassword(api);
  const device = softwareAuthenticator(counter);
  const added = await enroll(user, device);
  expect(added.status).toBe(201);
  return { ...user, device, codes: added.body.recovery_codes as string[] };
}

const askedOf = ({ body }: Answer) => ({
  challenge: body.challenge,
  options: body.passkey_options as { challenge: string; rpId: string; allowCredentials: { id: string }[] },
});
const finish = (challenge: unknown, credential: unknown) =>
  logIn(api, { challenge, second_factor: { kind: 'passkey', credential } });

describe('a passkey', () => {
  it('is made for this server, and completes a login', async () => {
    const user = await userWithPassword(api);
    const device = softwareAuthenticator();
    const begun = await begin(user);
    expect(begun.body.options).toMatchObject({
      rp: { id: site, name: 'Sluice' },
      user: { name: user.email },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { userVerification: 'preferred' },
    });
    const added = await add(user, begun.body.challenge, device.create({ ...page, challenge: toSign(begun) }));
    expect(added.body).toMatchObject({
      second_factor: { kind: 'passkey', name: 'Key' },
      recovery_codes: { length: 10 },
    });
    const asked = await byPassword(api, user.email);
    expect(asked.body).toMatchObject({ code: 'second_factor_required', second_factors: ['passkey', 'recovery_code'] });
    const { challenge, options } = askedOf(asked);
    expect(options).toMatchObject({ rpId: site, allowCredentials: [{ id: device.id }], userVerification: 'preferred' });
    expect(opened(await finish(challenge, device.get({ ...page, challenge: options.challenge })))).toBe(true);
  });

  it('is not registered twice', async () => {
    const { device, ...user } = await keyUser();
    expect((await begin(user)).body.options).toMatchObject({ excludeCredentials: [{ id: device.id }] });
    expect((await enroll(user, device)).body.code).toBe('passkey_exists');
    expect((await enroll(await userWithPassword(api), device)).body.code).toBe('passkey_exists');
  });

  it.each([
    ['another page', { origin: 'https://sluice.example.com.evil.test' }],
    ['another site', { site: 'evil.test' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['another act', { type: 'webauthn.create' }],
  ])('does not log in for %s', async (_, attack) => {
    const { email, device } = await keyUser();
    const { challenge, options } = askedOf(await byPassword(api, email));
    const signed = device.get({ ...page, challenge: options.challenge, ...attack });
    expect((await finish(challenge, signed)).body.code).toBe('second_factor_wrong');
    // The login itself goes on.
    expect(opened(await finish(challenge, device.get({ ...page, challenge: options.challenge })))).toBe(true);
  });

  it('does not log in with the passkey of another user, or an assertion for another login', async () => {
    const [ada, bob] = [await keyUser(), await keyUser()];
    const [first, second] = [askedOf(await byPassword(api, ada.email)), askedOf(await byPassword(api, ada.email))];
    const answer = async (challenge: unknown, credential: unknown) => (await finish(challenge, credential)).body.code;
    const theirs = bob.device.get({ ...page, challenge: first.options.challenge });
    expect(await answer(first.challenge, theirs)).toBe('second_factor_wrong');
    expect(await answer(first.challenge, { ...theirs, id: ada.device.id, rawId: ada.device.id })).toBe(
      'second_factor_wrong',
    );
    const ofFirst = ada.device.get({ ...page, challenge: first.options.challenge });
    expect(await answer(second.challenge, ofFirst)).toBe('second_factor_wrong');
    expect(opened(await finish(first.challenge, ofFirst))).toBe(true);
    expect(await answer(first.challenge, ofFirst)).toBe('second_factor_challenge_invalid');
  });

  it('does not log in with a counter that did not grow: there may be a copy of the authenticator', async () => {
    const { email, device } = await keyUser(5);
    const attempt = async () => {
      const { challenge, options } = askedOf(await byPassword(api, email));
      return await finish(challenge, device.get({ ...page, challenge: options.challenge }));
    };
    expect(opened(await attempt())).toBe(true); // 6
    device.counter = 5;
    expect((await attempt()).body.code).toBe('second_factor_wrong'); // 6 again
    device.counter = 2;
    expect((await attempt()).body.code).toBe('second_factor_wrong'); // 3
    device.counter = 6;
    expect(opened(await attempt())).toBe(true);
  });

  it('logs in again and again where it does not count', async () => {
    const { email, device } = await keyUser(0);
    for (let count = 0; count < 3; count += 1) {
      const { challenge, options } = askedOf(await byPassword(api, email));
      expect(opened(await finish(challenge, device.get({ ...page, challenge: options.challenge })))).toBe(true);
    }
  });

  it.each([
    ['another page', { origin: 'https://evil.test' }],
    ['another site', { site: 'evil.test' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    [
      // Its chain could name an address of the client's choice to be looked up.
      'a statement with certificates',
      { attestation: { fmt: 'packed', attStmt: new Map<string, unknown>([['x5c', [new Uint8Array(9)]]]) } },
    ],
    ['a statement of a maker', { attestation: { fmt: 'apple', attStmt: new Map() } }],
  ])('is not added for %s', async (_, attack) => {
    const user = await userWithPassword(api);
    const begun = await begin(user);
    const made = softwareAuthenticator().create({ ...page, challenge: toSign(begun), ...attack });
    expect((await add(user, begun.body.challenge, made)).body.errors).toMatchObject([{ path: 'credential' }]);
    expect(await api.stores.secondFactors.list(user.user.id)).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['a number', 7],
    ['no base64url', { id: '…', rawId: '…', type: 'public-key', response: {} }],
    ['a megabyte', { id: 'A'.repeat(900_000), rawId: 'A', type: 'public-key', response: {} }],
  ])('is refused as %s', async (_, credential) => {
    const user = await userWithPassword(api);
    const begun = await begin(user);
    expect((await add(user, begun.body.challenge, credential)).status).toBe(400);
    expect((await finish('x'.repeat(43), credential)).status).toBe(400);
  });

  it('is not asked for where the server has no host name, and the others go on', async () => {
    await using bare = await startApi({ clock, ports: { limiter: limiter() }, publicUrl: new URL('http://192.0.2.1') });
    const user = await userWithPassword(bare);
    const json = { current_password: PASSWORD };
    const begun = await bare.call('POST', '/api/auth/second-factors/passkey', { as: user, json });
    expect(begun.body.code).toBe('passkeys_unavailable');
    await enrollApp(bare, user, () => clock.now().getTime());
    expect((await byPassword(bare, user.email)).body).toMatchObject({ passkey_options: null });
  });
});
