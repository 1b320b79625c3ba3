import { createHash } from 'node:crypto';
import { type HostAnswer, jsonAnswer } from '../http/answer.ts';
import { type HostCall, type HostRoute, stringField } from '../http/host-call.ts';
import type { OAuthApp } from '../state/oauth-app.ts';
import type { HostToken } from '../state/token-book.ts';

/** Trades codes and refresh tokens for tokens. */
export function tokenRoutes(app: OAuthApp): readonly HostRoute[] {
  return [{ route: 'POST /login/oauth/access_token', handle: (call) => trade(app, call) }];
}

function trade(app: OAuthApp, call: HostCall): HostAnswer {
  if (!isFromApp(app, call)) return problem(call, 'incorrect_client_credentials');
  if (stringField(call, 'grant_type') === 'refresh_token') {
    const token = call.host.tokens.refresh(stringField(call, 'refresh_token') ?? '');
    return token === null ? problem(call, 'bad_refresh_token') : tokenAnswer(call, token);
  }
  const code = app.codes.get(stringField(call, 'code') ?? '');
  if (code === undefined || code.expiresAt <= call.host.clock.now()) return problem(call, 'bad_verification_code');
  if (code.used) {
    // Somebody else has it too: what was given for it is not safe any more (RFC 6749, 4.1.2).
    if (code.token !== null) code.token.revoked = true;
    return problem(call, 'bad_verification_code');
  }
  code.used = true;
  if (stringField(call, 'redirect_uri') !== code.redirectUri) return problem(call, 'redirect_uri_mismatch');
  const verifier = stringField(call, 'code_verifier') ?? '';
  if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge) {
    return problem(call, 'bad_verification_code');
  }
  code.token = call.host.tokens.issue(code.user, code.scopes);
  return tokenAnswer(call, code.token);
}

function isFromApp(app: OAuthApp, call: HostCall): boolean {
  const basic = basicCredentials(call.headers.authorization);
  const id = basic?.user ?? stringField(call, 'client_id');
  const secret = basic?.password ?? stringField(call, 'client_secret');
  return id === app.clientId && secret === app.clientSecret;
}

export function basicCredentials(header: string | undefined): { user: string; password: string } | null {
  const [scheme = '', value = ''] = (header ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic') return null;
  const [user = '', password = ''] = Buffer.from(value, 'base64').toString('utf8').split(/:(.*)/s);
  return { user, password };
}

function tokenAnswer(call: HostCall, token: HostToken): HostAnswer {
  const left = (until: Date) => Math.round((until.getTime() - call.host.clock.now().getTime()) / 1000);
  return answer(call, {
    access_token: token.value,
    ...(token.expiresAt === null ? {} : { expires_in: left(token.expiresAt) }),
    ...(token.refresh === null
      ? {}
      : { refresh_token: token.refresh.value, refresh_token_expires_in: left(token.refresh.expiresAt) }),
    token_type: 'bearer',
    scope: token.scopes?.join(',') ?? '',
  });
}

/** The host says what went wrong with status 200. */
function problem(call: HostCall, error: string): HostAnswer {
  const error_uri = 'https://docs.github.com/apps/troubleshooting-oauth-access-token-request-errors';
  return answer(call, { error, error_description: error.replaceAll('_', ' '), error_uri });
}

/** A form, unless JSON is asked for. */
function answer(call: HostCall, fields: Record<string, string | number>): HostAnswer {
  const headers = { 'cache-control': 'no-store' };
  if ((call.headers.accept ?? '').includes('json')) return jsonAnswer(200, fields, headers);
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: Buffer.from(form.toString()),
  };
}
