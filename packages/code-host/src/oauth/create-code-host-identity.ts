import GitHub from '@auth/core/providers/github';
import type { Clock } from '@sluice/core/async';
import type { CodeHostAccount, CodeHostGrant, CodeHostIdentity } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretPost,
  customFetch,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { fetchFromProvider, type RequestLimits } from './fetch-from-provider.ts';
import { oauthFailure } from './oauth-failure.ts';
import { apiHeaders, readAccount } from './read-account.ts';

export interface CodeHostIdentityOptions {
  readonly app: CodeHostApp;
  readonly clock: Clock;
  /** The timeout of each request to the host; default 10 s, because a user is looking at an empty page. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const REVOKE_MS = 5_000; // the user is waiting for their sign-in
const MAX_LIFETIME_S = 10 * 365 * 86_400; // a longer one might exceed the range of a date or a database column
const SENDABLE_TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** Signs in at the code host with OAuth 2.0: authorization code, PKCE S256, and the client's secret. */
export function createCodeHostIdentity({ app, clock, timeoutMs }: CodeHostIdentityOptions): CodeHostIdentity {
  const { server, client } = oauthParties(app);
  const secret = ClientSecretPost(app.clientSecret);
  const limitsOf = (signal: AbortSignal): RequestLimits => ({ timeoutMs: timeoutMs ?? TIMEOUT_MS, signal });
  const requestOptions = (signal: AbortSignal): TokenEndpointRequestOptions => ({
    // The configuration accepts http:// only for this machine.
    [allowInsecureRequests]: true,
    [customFetch]: (url, init) => requestGrant(url, init as RequestInit, limitsOf(signal)),
  });

  function grantOf(answer: TokenEndpointResponse): CodeHostGrant {
    const { access_token: accessToken, refresh_token: refreshToken = null, expires_in: seconds } = answer;
    const sendable = [accessToken, refreshToken].every((token) => token === null || SENDABLE_TOKEN.test(token));
    if (!sendable || answer.token_type !== 'bearer') {
      throw new AppError('codehost_unavailable', { detail: 'The code host issued an unusable token.' });
    }
    const expiresAt =
      seconds === undefined ? null : new Date(clock.now().getTime() + Math.min(seconds, MAX_LIFETIME_S) * 1_000);
    return { accessToken, refreshToken, expiresAt };
  }

  return {
    authorizationUrl: ({ state, codeChallenge, redirectUri }) => {
      const url = new URL(server.authorization_endpoint);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: redirectUri,
        scope: app.scopes.join(' '),
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    exchange: async ({ callback, state, codeVerifier, redirectUri, signal }) => {
      const parameters = matchingResponse({ callback, state });
      try {
        const options = requestOptions(signal);
        const response = await authorizationCodeGrantRequest(
          server,
          client,
          secret,
          parameters,
          redirectUri,
          codeVerifier,
          options,
        );
        const grant = grantOf(await processAuthorizationCodeResponse(server, client, response));
        return { account: await ownerOf(grant, signal), grant };
      } catch (error) {
        signal.throwIfAborted();
        throw oauthFailure(error, 'codehost_state_invalid');
      }
    },
    refresh: async (refreshToken, signal) => {
      try {
        const response = await refreshTokenGrantRequest(server, client, secret, refreshToken, requestOptions(signal));
        return grantOf(await processRefreshTokenResponse(server, client, response));
      } catch (error) {
        signal.throwIfAborted();
        throw oauthFailure(error, 'codehost_relink_needed');
      }
    },
    revoke,
  };

  /** Reads the account of a new grant. If that fails, the token is revoked, because it would remain unused. */
  async function ownerOf({ accessToken }: CodeHostGrant, signal: AbortSignal): Promise<CodeHostAccount> {
    try {
      return await readAccount(app.apiUrl, accessToken, limitsOf(signal));
    } catch (error) {
      // Best effort: the reported error is the one of reading the account.
      await revoke(accessToken, AbortSignal.timeout(REVOKE_MS)).catch(() => {});
      throw error;
    }
  }

  async function revoke(accessToken: string, signal: AbortSignal): Promise<void> {
    const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
    const { status } = await fetchFromProvider(
      `${app.apiUrl}/applications/${encodeURIComponent(app.clientId)}/token`,
      {
        method: 'DELETE',
        headers: { ...apiHeaders, Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ access_token: accessToken }),
      },
      limitsOf(signal),
    );
    // 404 and 422: the token is already invalid.
    if (![204, 404, 422].includes(status)) {
      throw new AppError('codehost_unavailable', {}, { cause: new Error(`Revoking: status ${status}`) });
    }
  }

  /** @throws AppError `codehost_state_invalid` for a response that does not match the request, else the error of the host */
  function matchingResponse({ callback, state }: { callback: URLSearchParams; state: string }): URLSearchParams {
    try {
      const parameters = validateAuthResponse(issuerOf(callback), client, callback, state);
      const [code = '', ...more] = parameters.getAll('code');
      if (code !== '' && more.length === 0) return parameters;
    } catch (error) {
      if (!(error instanceof OperationProcessingError)) throw oauthFailure(error, 'codehost_state_invalid');
    }
    throw new AppError('codehost_state_invalid');
  }

  /** Hosts use different names in `iss` (RFC 9207): any name at the host's origin is accepted. */
  function issuerOf(callback: URLSearchParams): typeof server {
    const issuer = callback.get('iss');
    const isOwn = issuer !== null && URL.canParse(issuer) && new URL(issuer).origin === new URL(app.url).origin;
    return isOwn ? { ...server, issuer } : server;
  }
}

/** This host reports a refused grant with status 200; the library expects an error status. */
async function requestGrant(url: string, init: RequestInit, limits: RequestLimits): Promise<Response> {
  const response = await fetchFromProvider(url, init, limits);
  if (response.status !== 200) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const isRefusal = typeof body === 'object' && body !== null && 'error' in body;
  return isRefusal ? new Response(response.body, { status: 400, headers: response.headers }) : response;
}

/** Sluice's registration at the code host, and the host's URLs without a trailing slash. */
export interface CodeHostApp {
  /** The URL where users sign in. */
  readonly url: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** The two parties of OAuth: the host with its endpoints, and Sluice. */
interface OAuthParties {
  readonly server: AuthorizationServer & { authorization_endpoint: string };
  readonly client: Client;
}

/** The endpoints come from the library's definition of the provider. */
function oauthParties({ url, clientId }: CodeHostApp): OAuthParties {
  const definition = GitHub({ clientId, enterprise: { baseUrl: url } });
  const { authorization, token, issuer } = definition;
  return {
    server: {
      issuer: issuer ?? url,
      authorization_endpoint: addressOf(authorization),
      token_endpoint: addressOf(token),
    },
    client: { client_id: clientId },
  };
}

function addressOf(endpoint: string | { url?: string | undefined } | undefined): string {
  const address = typeof endpoint === 'string' ? endpoint : endpoint?.url;
  if (address === undefined) throw new Error("The provider's definition lacks an endpoint.");
  return address;
}
