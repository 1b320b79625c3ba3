import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders } from './webhook-signature.ts';

const body = '{"type":"test","data":{"title":"Grüße 🙂"}}';
const signed = (secrets: readonly string[], at = new Date()) =>
  signatureHeaders({ messageId: 'msg_1', at, body, secrets });

describe('a signature', () => {
  it('is accepted by the package of Standard Webhooks, with each of the secrets', () => {
    const secrets = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const headers = signed(secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(headers['webhook-signature']).toMatch(/^(v1,[A-Za-z0-9+/]{43}=( |$)){3}$/);
  });

  it('is refused for another secret, body, id or time', () => {
    const secret = newSigningSecret();
    const headers = signed([secret]);
    const webhook = new Webhook(secret);
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
    expect(() => webhook.verify(`${body} `, headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    const old = new Date(Date.now() - 3_600_000);
    expect(() => webhook.verify(body, signed([secret], old))).toThrow();
  });

  it('has secrets of 32 random bytes', () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret()).not.toBe(secret);
  });
});
