import { emptyAnswer, type HostAnswer, jsonAnswer, refuse } from '../http/answer.ts';
import { type HostCall, type HostRoute, stringField } from '../http/host-call.ts';
import type { OAuthApp } from '../state/oauth-app.ts';
import { timeWire, userWire } from '../wire/wire-user.ts';
import { basicCredentials } from './oauth-token.ts';

/** The routes by which an application asks after a token that it was given, ends one, or ends all of a user's. */
export function revokeRoutes(app: OAuthApp): readonly HostRoute[] {
  return [
    { route: 'POST /applications/:client/token', handle: (call) => check(app, call) },
    { route: 'DELETE /applications/:client/token', handle: (call) => revoke(app, call, 'one') },
    { route: 'DELETE /applications/:client/grant', handle: (call) => revoke(app, call, 'all') },
  ];
}

function tokenOf(app: OAuthApp, call: HostCall) {
  const basic = basicCredentials(call.headers.authorization);
  const isApp = basic?.user === app.clientId && basic.password === app.clientSecret;
  if (!isApp || call.params.client !== app.clientId) return refuse(404, 'Not Found');
  return call.host.tokens.find(stringField(call, 'access_token') ?? '') ?? refuse(404, 'Not Found');
}

function check(app: OAuthApp, call: HostCall): HostAnswer {
  const token = tokenOf(app, call);
  const url = `${call.host.apiUrl}/authorizations/1`;
  const created_at = timeWire(call.host.clock.now());
  return jsonAnswer(200, {
    id: 1,
    url,
    scopes: token.scopes ?? [],
    token: token.value,
    token_last_eight: token.value.slice(-8),
    hashed_token: null,
    app: { client_id: app.clientId, name: 'Sluice', url: call.host.webUrl },
    note: null,
    note_url: null,
    updated_at: created_at,
    created_at,
    fingerprint: null,
    expires_at: token.expiresAt === null ? null : timeWire(token.expiresAt),
    user: userWire(call.host, token.user),
  });
}

function revoke(app: OAuthApp, call: HostCall, which: 'one' | 'all'): HostAnswer {
  const token = tokenOf(app, call);
  if (which === 'all') {
    call.host.tokens.revokeAll(token.user);
    app.consents.delete(token.user);
  } else {
    call.host.tokens.revoke(token.value);
  }
  return emptyAnswer(204);
}
