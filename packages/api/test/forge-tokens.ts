import { createHmac, generateKeyPairSync, randomBytes, sign as signAsymmetric } from 'node:crypto';
import { CompactEncrypt } from 'jose';

/** The claims of a true session's token, the token itself, and the key that it was signed with. */
export interface Stolen {
  readonly claims: { readonly sub: string; readonly sid: string; readonly iat: number; readonly exp: number };
  readonly token: string;
  readonly key: Uint8Array;
  /** The token of another user's session. */
  readonly others: { readonly sub: string; readonly sid: string; readonly token: string };
}

export type Forgery = readonly [what: string, token: string];

type Json = Record<string, unknown>;
const HASHES: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };
const DAY_S = 86_400;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs with HMAC whatever the header says, as no library would. */
function hmac(header: Json, payload: unknown, key: string | Uint8Array): string {
  const signed = `${part(header)}.${part(payload)}`;
  const hash = HASHES[String(header.alg)] ?? 'sha256';
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

/** Tokens that are not what the service signed, by what was done to them: none may be a session. */
export async function forgeTokens(stolen: Stolen): Promise<Forgery[]> {
  return [
    ...withoutSignature(stolen),
    ...withOtherKeys(stolen),
    ...withOtherAlgorithms(stolen),
    ...(await encrypted(stolen)),
    ...withKeysOfTheirOwn(stolen),
    ...spliced(stolen),
    ...damaged(stolen),
    ...signedButWrong(stolen),
  ];
}

function withoutSignature({ claims, token }: Stolen): Forgery[] {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return ['none', 'None', 'NONE', 'nOnE', '', ' none', 'none\0', null, undefined, 0, false, [], ['HS256'], {}].flatMap(
    (alg) => {
      const unsigned = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
      const what = `alg ${JSON.stringify(alg)}`;
      return [
        [`${what}, no signature`, `${unsigned}.`],
        [`${what}, two parts`, unsigned],
        [`${what}, another token's signature`, `${unsigned}.${signature}`],
      ] as const;
    },
  );
}

function withOtherKeys({ claims, key }: Stolen): Forgery[] {
  const text = Buffer.from(key);
  const keys: Record<string, string | Uint8Array> = {
    empty: '',
    'one zero byte': new Uint8Array(1),
    'all zeros': new Uint8Array(32),
    'all ones': new Uint8Array(32).fill(255),
    secret: 'secret',
    changeme: 'changeme',
    password: 'password',
    'the name of the variable': 'SESSION_SECRET',
    'the name of the service': 'sluice',
    'the name of the algorithm': 'HS256',
    'the hex of ours': text.toString('hex'),
    'the base64 of ours': text.toString('base64'),
    'half of ours': key.subarray(0, 16),
    'ours and one byte more': new Uint8Array([...key, 1]),
    'ours backwards with a bit less': new Uint8Array(key).fill(6, 31),
    'the claims': JSON.stringify(claims),
    'the id of the session': claims.sid,
    'the id of the user': claims.sub,
  };
  const named = Object.entries(keys).map(
    ([name, other]) => [`key: ${name}`, hmac({ alg: 'HS256' }, claims, other)] as const,
  );
  const random = Array.from(
    { length: 20 },
    (_none, index) => [`random key ${index}`, hmac({ alg: 'HS256' }, claims, randomBytes(32))] as const,
  );
  return [...named, ...random];
}

function withOtherAlgorithms({ claims, token, key }: Stolen): Forgery[] {
  const [, payload = '', signature = ''] = token.split('.');
  const names = [
    'HS384',
    'HS512',
    'HS1',
    'hs256',
    'HS256 ',
    'HMAC',
    'RS256',
    'PS256',
    'ES256',
    'ES256K',
    'EdDSA',
    'dir',
  ];
  const ofOurKey = names.flatMap((alg) => [
    [`alg ${alg} with our key`, hmac({ alg }, claims, key)] as const,
    [`alg ${alg} before the true signature`, `${part({ alg })}.${payload}.${signature}`] as const,
  ]);
  const signed = `${part({ alg: 'RS256' })}.${part(claims)}`;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rs256 = signAsymmetric('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url');
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return [
    ...ofOurKey,
    ['a real RS256', `${signed}.${rs256}`],
    ['an RSA public key as the secret', hmac({ alg: 'HS256' }, claims, pem)],
  ];
}

async function encrypted({ claims, key, token }: Stolen): Promise<Forgery[]> {
  const plain = new TextEncoder().encode(JSON.stringify(claims));
  const secrets = { 'our key': key, 'another key': randomBytes(32) };
  const forgeries: Forgery[] = [];
  for (const [whose, secret] of Object.entries(secrets)) {
    for (const header of [
      { alg: 'dir', enc: 'A256GCM' },
      { alg: 'dir', enc: 'A256GCM', cty: 'JWT' },
      { alg: 'A256KW', enc: 'A256GCM' },
      { alg: 'A256GCMKW', enc: 'A128CBC-HS256' },
      { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 1_000 },
    ]) {
      const content = 'cty' in header ? new TextEncoder().encode(token) : plain;
      const { p2c, ...protectedHeader } = { p2c: undefined, ...header };
      const encrypt = new CompactEncrypt(content).setProtectedHeader(protectedHeader);
      if (p2c !== undefined) encrypt.setKeyManagementParameters({ p2c });
      forgeries.push([
        `JWE ${header.alg} ${'cty' in header ? 'around a token' : ''} with ${whose}`,
        await encrypt.encrypt(secret),
      ]);
    }
  }
  // An honest reader of this one would compute for minutes.
  const costly = part({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_000_000_000, p2s: 'AAAAAAAAAAA' });
  return [...forgeries, ['JWE of two billion rounds', `${costly}.AAAA.AAAA.AAAA.AAAA`]];
}

/** The header says where the key is to be found. */
function withKeysOfTheirOwn({ claims }: Stolen): Forgery[] {
  const own = 'a key that the attacker chose himself';
  const jwk = { kty: 'oct', k: Buffer.from(own).toString('base64url'), alg: 'HS256' };
  const kids = [
    '../../../../dev/null',
    '/dev/null',
    'file:///dev/null',
    '/proc/sys/kernel/randomize_va_space',
    "x' UNION SELECT 'a key that the attacker chose himself' --",
    '| echo key',
    '`echo key`',
    'http://127.0.0.1:1/key',
    '__proto__',
    'constructor',
    '',
    'k'.repeat(400),
    '\0',
    7,
    null,
    { length: 1 },
    ['0'],
  ];
  const headers: Json[] = [
    { jwk },
    { jwk, kid: '0' },
    { jku: 'http://127.0.0.1:1/keys.json' },
    { jku: 'file:///etc/passwd' },
    { x5u: 'http://127.0.0.1:1/cert.pem' },
    { x5c: [Buffer.from(own).toString('base64')] },
    { x5t: 'AAAA' },
    { crit: ['exp'], exp: 0 },
    { crit: [] },
    { crit: ['b64'], b64: false },
    { b64: false },
    { zip: 'DEF' },
    { typ: 'JWE' },
    { cty: 'JWT' },
    { verify: false },
  ];
  return [
    ...kids.flatMap((kid) => [
      [`kid ${JSON.stringify(kid)?.slice(0, 40)}, a key of its own`, hmac({ alg: 'HS256', kid }, claims, own)] as const,
      [`kid ${JSON.stringify(kid)?.slice(0, 40)}, an empty key`, hmac({ alg: 'HS256', kid }, claims, '')] as const,
    ]),
    ...headers.map(
      (header) => [`header ${JSON.stringify(header)}`, hmac({ alg: 'HS256', ...header }, claims, own)] as const,
    ),
  ];
}

/** Parts of valid tokens, recombined. */
function spliced({ claims, token, others }: Stolen): Forgery[] {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const [, payloadOfOther = '', signatureOfOther = ''] = others.token.split('.');
  const under = (changed: unknown): string => `${head}.${part(changed)}.${signature}`;
  return [
    ["another's user", under({ ...claims, sub: others.sub })],
    ["another's session", under({ ...claims, sid: others.sid })],
    ["another's user and session", under({ ...claims, sub: others.sub, sid: others.sid })],
    ['user and session swapped', under({ ...claims, sub: claims.sid, sid: claims.sub })],
    ['a longer life', under({ ...claims, exp: claims.exp + DAY_S })],
    ['a later birth', under({ ...claims, iat: claims.iat + 1 })],
    ['one claim more', under({ ...claims, admin: true })],
    ['the same claims in another order', under(Object.fromEntries(Object.entries(claims).toReversed()))],
    ["another's payload", `${head}.${payloadOfOther}.${signature}`],
    ["another's signature", `${head}.${payload}.${signatureOfOther}`],
    ['the signature twice', `${token}.${signature}`],
    ['the token twice', `${token}.${token}`],
    ['the payload as the signature', `${head}.${payload}.${payload}`],
    ['its parts in another order', `${payload}.${head}.${signature}`],
    ['a JSON serialization', encodeURIComponent(JSON.stringify({ protected: head, payload, signature }))],
  ];
}

function damaged({ token }: Stolen): Forgery[] {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const flipped = Array.from({ length: 32 }, (_none, at) => {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
    return [`one bit of byte ${at} of the signature`, `${head}.${payload}.${other.toString('base64url')}`] as const;
  });
  const cut = [1, 2, 4, 8, 16, 32, 42, 43, 44, 60, 100, token.length - 1].map(
    (count) => [`truncated by ${count}`, token.slice(0, -count)] as const,
  );
  const oversized = [1_025 - token.length, 2_000, 8_000, 14_000].flatMap((count) => [
    [`${count} characters after it`, token + 'A'.repeat(count)] as const,
    [`${count} characters before it`, 'A'.repeat(count) + token] as const,
  ]);
  return [
    ...flipped,
    ...cut,
    ...oversized,
    ['no characters', ''],
    ['two dots', '..'],
    ['a thousand dots', '.'.repeat(1_000)],
    ['null bytes of base64', `${part({ alg: 'HS256' })}.AAAA.AAAA`],
    ['in quotes', `"${token.slice(1)}"`],
    ['as a bearer', `Bearer ${token}`],
    ['percent-encoded', token.replaceAll('.', '%2e')],
    ['in capitals', token.toUpperCase()],
  ];
}

/** Tokens that only the holder of our key could sign, of a form that the service never issues. */
function signedButWrong({ claims, key, others }: Stolen): Forgery[] {
  const now = Math.floor(Date.now() / 1_000);
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name));
  const payloads: Record<string, unknown> = {
    'expired long ago': { ...claims, iat: now - DAY_S, exp: now - 60 },
    'expired this second': { ...claims, exp: now },
    'issued in ten minutes': { ...claims, iat: now + 600 },
    'expired in 1970': { ...claims, exp: 0 },
    'expired before that': { ...claims, exp: -1 },
    'issued tomorrow': { ...claims, iat: now + DAY_S, exp: now + 2 * DAY_S },
    'issued in an hour': { ...claims, iat: now + 3_600 },
    'not valid before tomorrow': { ...claims, nbf: now + DAY_S },
    "another's user": { ...claims, sub: others.sub },
    "another's session": { ...claims, sid: others.sid },
    'user and session swapped': { ...claims, sub: claims.sid, sid: claims.sub },
    'a session that is not': { ...claims, sid: '00000000-0000-7000-8000-000000000000' },
    'a session of SQL': { ...claims, sid: "' OR '1'='1" },
    'a session with a wildcard': { ...claims, sid: '%' },
    'no session': { ...claims, sid: '' },
    'a list of sessions': { ...claims, sid: [claims.sid] },
    'an object for a session': { ...claims, sid: { $ne: null } },
    'a number for a user': { ...claims, sub: 7 },
    'no user': { ...claims, sub: '' },
    'a date for an end': { ...claims, exp: '4000-01-01' },
    'no number for an end': { ...claims, exp: null },
    'a list of claims': [claims],
    'a text of claims': JSON.stringify(claims),
    'no claims': null,
    ...Object.fromEntries(Object.keys(claims).map((name) => [`without ${name}`, without(name)])),
  };
  return Object.entries(payloads).map(
    ([name, payload]) => [`signed: ${name}`, hmac({ alg: 'HS256' }, payload, key)] as const,
  );
}
