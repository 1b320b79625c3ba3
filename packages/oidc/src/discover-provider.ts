import type { Clock } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { createRemoteJWKSet, type JWTPayload, customFetch as joseFetch, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client';
import { type FetchRules, fetchFromProvider, requireAllowed } from './provider-fetch.ts';

/** Sluice as a client of one provider. */
export interface OidcClient {
  readonly id: string;
  readonly name: string;
  readonly issuer: URL;
  readonly clientId: string;
  /** Null for a public client: PKCE alone. */
  readonly clientSecret: string | null;
  /** How the secret is sent; null: as the provider prefers. */
  readonly clientAuth: 'client_secret_basic' | 'client_secret_post' | null;
  readonly scopes: readonly string[];
  /** The claim with the user's groups. */
  readonly groupsClaim: string;
}

/** What the provider's document says, and its keys. */
export interface Discovered {
  readonly metadata: Readonly<ServerMetadata>;
  /** The configuration for one sign-in, whose requests end with the signal. */
  configuration(signal: AbortSignal): Configuration;
  /** The claims of a token that the provider has signed for this client. */
  verify(token: string): Promise<JWTPayload>;
}

interface DiscoveryContext {
  readonly client: OidcClient;
  readonly rules: FetchRules;
  readonly clock: Clock;
  /** How often keys may be asked for again because of one that is not known. */
  readonly keyCooldownMs: number;
}

/** All asymmetric: with a symmetric one, the client's secret would be enough to forge tokens. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_S = 30;
const NEVER = new AbortController().signal;

/** Reads the document of a provider (OpenID Connect Discovery 1.0) and checks that it can be used. */
export async function discoverProvider({ client, rules, clock, keyCooldownMs }: DiscoveryContext): Promise<Discovered> {
  const { issuer, clientId } = client;
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const fetchUntil =
    (end: AbortSignal): CustomFetch =>
    (url, { method, headers, body, signal = NEVER }) =>
      fetchFromProvider(rules, url, {
        method,
        headers,
        body: body === undefined || body === null ? null : String(body),
        signal: AbortSignal.any([end, signal]),
      });
  const timeout = 2 * (rules.timeoutMs / 1_000); // the fetch has its own, with a better message
  const found = await discovery(issuer, clientId, undefined, None(), {
    [customFetch]: fetchUntil(NEVER),
    timeout,
    execute: insecure,
  });
  const metadata = found.serverMetadata();
  requireUsable(metadata, client, rules);

  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    cooldownDuration: keyCooldownMs,
    timeoutDuration: 2 * rules.timeoutMs,
    [joseFetch]: async (url, { headers, signal }) => {
      const plain = Object.fromEntries(new Headers(headers));
      const response = await fetchFromProvider(rules, url, { method: 'GET', headers: plain, body: null, signal });
      if (response.status === 200) return response;
      const detail = `${client.name} answered ${response.status} instead of its keys.`;
      throw new AppError('oidc_unavailable', { detail });
    },
  });
  const authentication = clientAuthOf(client, metadata);
  return {
    metadata,
    configuration: (signal) => {
      const configuration = new Configuration(metadata, clientId, undefined, authentication);
      configuration[customFetch] = fetchUntil(signal);
      configuration.timeout = timeout;
      for (const apply of insecure) apply(configuration);
      return configuration;
    },
    verify: async (token) => {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: metadata.issuer,
        audience: clientId,
        currentDate: clock.now(),
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      return payload;
    },
  };
}

/** @throws AppError `oidc_unavailable` */
function requireUsable(metadata: Readonly<ServerMetadata>, { issuer, name }: OidcClient, rules: FetchRules): void {
  // Also for the providers to whom the library allows another name.
  if (new URL(metadata.issuer).href !== issuer.href) {
    throw new AppError('oidc_unavailable', {
      detail: `The provider at ${issuer.host} says that it is another issuer.`,
    });
  }
  for (const needed of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const address = metadata[needed];
    if (address === undefined || !URL.canParse(address)) {
      throw new AppError('oidc_unavailable', { detail: `The document of ${name} has no ${needed}.` });
    }
    requireAllowed(rules, new URL(address));
  }
}

function clientAuthOf({ clientSecret, clientAuth }: OidcClient, metadata: Readonly<ServerMetadata>): ClientAuth {
  if (clientSecret === null) return None();
  const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = metadata;
  const usual = supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
  return (clientAuth ?? usual) === 'client_secret_basic'
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret);
}
