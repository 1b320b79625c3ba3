import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** The faults that the provider shows. */
interface Tampering {
  /** Claims of the ID token that replace the right ones; undefined removes one. */
  claims?: Record<string, unknown>;
  /** The whole ID token instead. */
  idToken?: (claims: Record<string, unknown>) => string | Promise<string>;
  /** The document instead. */
  document?: Record<string, unknown>;
  userInfo?: Record<string, unknown>;
  /** Answers an endpoint instead. */
  answer?: (path: string, response: ServerResponse) => boolean;
}

export interface FakeProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly tampering: Tampering;
  /** The paths that were asked for. */
  readonly requests: string[];
  readonly keys: SigningKey[];
  newKey(alg?: string): Promise<SigningKey>;
  sign(claims: Record<string, unknown>, key?: SigningKey, typ?: string): Promise<string>;
  /** Logs a user in at an authorization URL. @returns the query with which the browser comes back */
  authorize(url: string, claims: Record<string, unknown>): URLSearchParams;
}

/** A provider that speaks the real protocol, whose keys and every claim a test controls. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const keys: SigningKey[] = [];
  const codes = new Map<string, { claims: Record<string, unknown>; challenge: string; redirectUri: string }>();
  const tampering: Tampering = {};
  const requests: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let made = 0;
  const newKey = async (alg = 'ES256') => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    made += 1;
    const kid = `key-${made}`;
    return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
  };
  keys.push(await newKey());
  const sign = async (claims: Record<string, unknown>, key = keys.at(-1), typ = 'JWT') => {
    if (key === undefined) throw new Error('There is no key.');
    return await new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, typ }).sign(key.privateKey);
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', issuer).pathname;
    requests.push(path);
    if (tampering.answer?.(path, response) === true) return;
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration') {
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/logout`,
        // Announced by a careless provider: the client must go by its own list.
        id_token_signing_alg_values_supported: ['ES256', 'RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
        ...tampering.document,
      });
    }
    if (path === '/keys') return send(200, { keys: keys.map(({ jwk }) => jwk) });
    if (path === '/userinfo') return send(200, { sub: 'ada', ...tampering.userInfo });
    if (path !== '/token') return send(404, {});
    const form = new URLSearchParams(await textOf(request));
    const given = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (given?.challenge !== challenge || given.redirectUri !== form.get('redirect_uri')) {
      return send(400, { error: 'invalid_grant' });
    }
    const claims = JSON.parse(JSON.stringify({ ...given.claims, ...tampering.claims })) as Record<string, unknown>;
    for (const [name, value] of Object.entries(tampering.claims ?? {})) if (value === undefined) delete claims[name];
    const id_token = await (tampering.idToken?.(claims) ?? sign(claims));
    send(200, { access_token: 'access-canary', token_type: 'bearer', id_token });
  }

  return {
    issuer,
    tampering,
    requests,
    keys,
    newKey,
    sign,
    authorize: (url, claims) => {
      const asked = new URL(url).searchParams;
      const code = `code-${codes.size}-${requests.length}`;
      const now = Math.floor(Date.now() / 1_000);
      codes.set(code, {
        claims: {
          iss: issuer,
          aud: 'sluice',
          sub: 'ada',
          iat: now,
          exp: now + 300,
          nonce: asked.get('nonce'),
          ...claims,
        },
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
      });
      return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer });
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
