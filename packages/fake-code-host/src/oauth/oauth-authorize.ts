import { emptyAnswer, type HostAnswer, HostRefusal, htmlAnswer } from '../http/answer.ts';
import { type HostCall, type HostRoute, stringField } from '../http/host-call.ts';
import { findUser } from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';
import { CODE_SECONDS, type OAuthApp } from '../state/oauth-app.ts';

const COOKIE = 'codehost_user';

/** The pages that a browser goes through: who are you, and may this application act for you. */
export function authorizeRoutes(app: OAuthApp): readonly HostRoute[] {
  return [
    { route: 'GET /login/oauth/authorize', handle: (call) => authorize(app, call) },
    { route: 'POST /login/oauth/authorize', handle: (call) => decide(app, call) },
    { route: 'POST /login', handle: signIn },
  ];
}

interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
}

function authorize(app: OAuthApp, call: HostCall): HostAnswer {
  const request = readRequest(app, call);
  const user = signedIn(call);
  if (user === null) return signInPage(call);
  if (!app.asksAlways && app.consents.has(user)) return grant(app, call, { request, user });
  return consentPage(call, user);
}

function decide(app: OAuthApp, call: HostCall): HostAnswer {
  const request = readRequest(app, call);
  const user = signedIn(call) ?? fail('Sign in first.');
  if (stringField(call, 'decision') === 'yes') return grant(app, call, { request, user });
  return back(app, call, {
    request,
    answer: { error: 'access_denied', error_description: 'The user has denied your application access.' },
  });
}

function grant(app: OAuthApp, call: HostCall, { request, user }: { request: AuthorizationRequest; user: HostUser }) {
  const code = app.mint('code_');
  app.consents.add(user);
  const expiresAt = new Date(call.host.clock.now().getTime() + CODE_SECONDS * 1000);
  app.codes.set(code, { ...request, user, expiresAt, token: null, used: false });
  return back(app, call, { request, answer: { code } });
}

/** Back to the application. Only a registered address is ever gone to. */
function back(
  app: OAuthApp,
  call: HostCall,
  { request, answer }: { request: AuthorizationRequest; answer: Record<string, string> },
): HostAnswer {
  const location = new URL(request.redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state: request.state }))
    location.searchParams.set(name, value);
  if (app.sendsIssuer) location.searchParams.set('iss', call.host.webUrl);
  return emptyAnswer(302, { location: location.href });
}

/** An error in the client or the address is shown to the user; an unregistered address gets no redirect. */
function readRequest(app: OAuthApp, call: HostCall): AuthorizationRequest {
  const { query } = call;
  const names = [...query.keys()];
  if (new Set(names).size !== names.length) fail('A parameter is given twice.');
  const { client_id, redirect_uri, state, code_challenge, code_challenge_method, response_type, scope } =
    Object.fromEntries(query);
  if (client_id !== app.clientId) fail('No such application.');
  if (redirect_uri === undefined || !app.redirectUris.includes(redirect_uri)) {
    return fail('The redirect_uri is not associated with this application.');
  }
  if (response_type !== undefined && response_type !== 'code') fail('Only response_type=code is known.');
  if (state === undefined || state === '') return fail('state is missing.');
  if (code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(code_challenge ?? ''))
    fail('PKCE with S256 is required.');
  const scopes = (scope ?? '').split(/[ ,]+/).filter((name) => name !== '');
  return { redirectUri: redirect_uri, state, challenge: code_challenge ?? '', scopes };
}

function fail(text: string): never {
  throw new HostRefusal(htmlAnswer(400, `<h1>${text}</h1>`));
}

function signedIn(call: HostCall): HostUser | null {
  const cookies = (call.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  const login = cookies.find(([name]) => name === COOKIE)?.[1];
  return login === undefined ? null : findUser(call.host, decodeURIComponent(login));
}

function signIn(call: HostCall): HostAnswer {
  const login = stringField(call, 'login') ?? '';
  const to = stringField(call, 'return_to') ?? '/';
  if (findUser(call.host, login) === null || !to.startsWith('/login/oauth/')) return fail('Incorrect username.');
  // The path keeps it from everything else on this machine: cookies do not know ports.
  const cookie = `${COOKIE}=${encodeURIComponent(login)}; Path=/login; HttpOnly; SameSite=Lax`;
  return emptyAnswer(302, { location: to, 'set-cookie': cookie });
}

function signInPage(call: HostCall): HostAnswer {
  const buttons = call.host.users
    .filter((user) => user.kind === 'User')
    .map(({ login }) => `<button name="login" value="${escapeHtml(login)}">${escapeHtml(login)}</button>`);
  const here = escapeHtml(`/login/oauth/authorize?${call.query}`);
  return htmlAnswer(
    200,
    `<h1>Sign in</h1><form method="post" action="/login"><input type="hidden" name="return_to" value="${here}">${buttons.join('')}</form>`,
  );
}

function consentPage(call: HostCall, user: HostUser): HostAnswer {
  const action = escapeHtml(`/login/oauth/authorize?${call.query}`);
  const buttons =
    '<button name="decision" value="yes">Authorize</button><button name="decision" value="no">Cancel</button>';
  return htmlAnswer(
    200,
    `<h1>Authorize the application?</h1><p>${escapeHtml(user.login)}</p><form method="post" action="${action}">${buttons}</form>`,
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
