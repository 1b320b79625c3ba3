import { AppError, type Clock, type CodeHostAccount, type CodeHostGrant, type CodeHostIdentity } from '@sluice/core';
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
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
import { askProvider, type ProviderPatience } from './ask-provider.ts';
import { type CodeHostApp, oauthParties } from './codehost-app.ts';
import { oauthFailure } from './oauth-failure.ts';
import { apiHeaders, readAccount } from './read-account.ts';

export interface CodeHostIdentityOptions {
  readonly app: CodeHostApp;
  readonly clock: Clock;
  /** For each call to the host; default 10 s: a person looks at an empty page meanwhile. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const REVOKE_MS = 5_000; // somebody waits for the answer to his sign-in
const LONGEST_S = 10 * 365 * 86_400; // what is beyond it no date can hold, or no database
const SENDABLE_TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** Signing in at the code host by OAuth 2.0: authorization code, PKCE S256, and the client's secret. */
export function createCodeHostIdentity({ app, clock, timeoutMs }: CodeHostIdentityOptions): CodeHostIdentity {
  const { server, client } = oauthParties(app);
  const secret = ClientSecretPost(app.clientSecret);
  const patienceOf = (signal: AbortSignal): ProviderPatience => ({ timeoutMs: timeoutMs ?? TIMEOUT_MS, signal });
  const requestOptions = (signal: AbortSignal): TokenEndpointRequestOptions => ({
    // The configuration takes http:// for this machine alone.
    [allowInsecureRequests]: true,
    [customFetch]: (url, init) => askForGrant(url, init as RequestInit, patienceOf(signal)),
  });

  function grantOf(answer: TokenEndpointResponse): CodeHostGrant {
    const { access_token: accessToken, refresh_token: refreshToken = null, expires_in: seconds } = answer;
    const sendable = [accessToken, refreshToken].every((token) => token === null || SENDABLE_TOKEN.test(token));
    if (!sendable || answer.token_type !== 'bearer') {
      throw new AppError('codehost_unavailable', { detail: 'The code host gave a token that cannot be used.' });
    }
    const expiresAt =
      seconds === undefined ? null : new Date(clock.now().getTime() + Math.min(seconds, LONGEST_S) * 1_000);
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

  /** Whose a new grant is. One of nobody is given back, as nobody else will. */
  async function ownerOf({ accessToken }: CodeHostGrant, signal: AbortSignal): Promise<CodeHostAccount> {
    try {
      return await readAccount(app.apiUrl, accessToken, patienceOf(signal));
    } catch (error) {
      // As far as the host answers: what is told is why the account could not be read.
      await revoke(accessToken, AbortSignal.timeout(REVOKE_MS)).catch(() => {});
      throw error;
    }
  }

  async function revoke(accessToken: string, signal: AbortSignal): Promise<void> {
    const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
    const { status } = await askProvider(
      `${app.apiUrl}/applications/${encodeURIComponent(app.clientId)}/token`,
      {
        method: 'DELETE',
        headers: { ...apiHeaders, Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ access_token: accessToken }),
      },
      patienceOf(signal),
    );
    // 404 and 422: it knows the token no longer, which is what was wanted.
    if (![204, 404, 422].includes(status)) {
      throw new AppError('codehost_unavailable', {}, { cause: new Error(`Revoking: status ${status}`) });
    }
  }

  /** @throws AppError `codehost_state_invalid` when this is no answer to what was asked; what the host's own error means */
  function matchingResponse({ callback, state }: { callback: URLSearchParams; state: string }): URLSearchParams {
    try {
      const parameters = validateAuthResponse(heardFrom(callback), client, callback, state);
      const [code = '', ...more] = parameters.getAll('code');
      if (code !== '' && more.length === 0) return parameters;
    } catch (error) {
      if (!(error instanceof OperationProcessingError)) throw oauthFailure(error, 'codehost_state_invalid');
    }
    throw new AppError('codehost_state_invalid');
  }

  /** Hosts differ in what they call themselves in `iss` (RFC 9207): any name at the host's own origin is its own. */
  function heardFrom(callback: URLSearchParams): typeof server {
    const issuer = callback.get('iss');
    const isOwn = issuer !== null && URL.canParse(issuer) && new URL(issuer).origin === new URL(app.url).origin;
    return isOwn ? { ...server, issuer } : server;
  }
}

/** This host says with status 200 that it gives no grant; the library looks for an error where the status says so. */
async function askForGrant(url: string, init: RequestInit, patience: ProviderPatience): Promise<Response> {
  const response = await askProvider(url, init, patience);
  if (response.status !== 200) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const isRefusal = typeof body === 'object' && body !== null && 'error' in body;
  return isRefusal ? new Response(response.body, { status: 400, headers: response.headers }) : response;
}
