import type { Size } from './size.ts';
import { idOf, rows, timesAround, type Words } from './words.ts';

/** Users with all that is theirs alone. */
type Filled = Readonly<
  Record<
    | 'users'
    | 'credentials'
    | 'failedLogins'
    | 'sessions'
    | 'accountLinks'
    | 'secondFactors'
    | 'recoveryCodes'
    | 'loginChallenges'
    | 'oidcIdentities'
    | 'oidcLogoutTokens'
    | 'codehostGrants'
    | 'codehostFlows'
    | 'loginGrants'
    | 'apiTokens'
    | 'invitations'
    | 'requestAnswers',
    string
  >
>;

export function accountRows({ users, repos, issues, now }: Size, { at, json, never }: Words): Filled {
  const { ago, ahead } = timesAround(now, at);
  const user = idOf('user', '(n - 1)');
  const each = `numbers where n <= ${users}`;
  const oneIn = (count: number) => `${each} and n % ${count} = 1`;
  /** Rows that end after a day or a week are few of everybody; one in ten ended two days before. */
  const evenly = idOf('user', `(n % ${users})`);
  const expires = `case when n % 10 = 0 then ${ago(2)} else ${ahead(5)} end`;
  return {
    users: rows(
      'users',
      {
        id: user,
        email: "'u-' || n || '@example.com'",
        email_key: "'u-' || n || '@example.com'",
        name: "'Ada ' || n",
        codehost_id: "case when n % 10 = 2 then '' || n end",
        codehost_login: "case when n % 10 = 2 then 'ada-' || n end",
        is_operator: 'n % 400 = 1',
        disabled_at: `case when n % 100 = 99 then ${ago(3)} else ${never} end`,
        created_at: ago('(n % 300)'),
      },
      each,
    ),
    credentials: rows('credentials', { user_id: user, password_hash: "'h'", updated_at: ago(10) }, each),
    failedLogins: rows(
      'failed_logins',
      { user_id: user, day: "case when n % 2 = 0 then '2026-11-20' else '2026-11-21' end", count: 2 },
      oneIn(5),
    ),
    sessions: rows(
      'sessions',
      {
        id: idOf('session', 'n'),
        user_id: evenly,
        created_at: ago(3),
        expires_at: expires,
        revoked_at: `case when n % 50 = 3 then ${ago(1)} else ${never} end`,
        last_seen_at: ago(1),
        idle_ends_at: `case when n % 10 = 5 then ${never} else ${ahead(2)} end`,
        oidc_issuer: "case when n % 20 = 7 then 'https://id.example.com' end",
        oidc_sid: "case when n % 20 = 7 then 'sid-' || n end",
      },
      `numbers where n <= ${issues}`,
    ),
    accountLinks: rows(
      'account_links',
      {
        token_hash: "'link-' || n",
        user_id: user,
        purpose: "'verify_email'",
        email_key: "'u-' || n",
        created_at: ago(1),
        expires_at: ahead(1),
      },
      each,
    ),
    secondFactors: rows(
      'second_factors',
      {
        id: "'factor-' || n",
        user_id: user,
        kind: "case when n % 2 = 0 then 'passkey' else 'totp' end",
        name: "'Phone'",
        credential_id: "case when n % 2 = 0 then 'credential-' || n end",
        public_key: "case when n % 2 = 0 then 'key' end",
        counter: 'case when n % 2 = 0 then 1 end',
        transports: json("case when n % 2 = 0 then '[]' end"),
        secret_encrypted: "case when n % 2 = 1 then 's' end",
        secret_nonce: "case when n % 2 = 1 then 'n' end",
        last_step: 'case when n % 2 = 1 then 1 end',
        created_at: ago(9),
      },
      `${each} and n % 5 = 2`,
    ),
    recoveryCodes: rows(
      'recovery_codes',
      { user_id: user, code_hash: "'code-' || n", created_at: ago(9) },
      `${each} and n % 5 = 2`,
    ),
    loginChallenges: rows(
      'login_challenges',
      {
        hash: "'challenge-' || n",
        user_id: user,
        purpose: "'login'",
        password_digest: "'d'",
        attempts: 1,
        codes: 1,
        created_at: ago(1),
        expires_at: ago(1),
      },
      each,
    ),
    oidcIdentities: rows(
      'oidc_identities',
      {
        issuer: "'https://id.example.com'",
        subject: "'s-' || n",
        user_id: user,
        made_operator: 'n < 0',
        created_at: ago(9),
        last_sign_in_at: ago(1),
      },
      `${each} and n % 10 = 7`,
    ),
    oidcLogoutTokens: rows(
      'oidc_logout_tokens',
      { issuer: "'https://id.example.com'", token_id: "'t-' || n", expires_at: ahead(1) },
      oneIn(20),
    ),
    codehostGrants: rows(
      'codehost_grants',
      { user_id: user, version: 1, refused: 'n < 0', updated_at: ago(1) },
      `${each} and n % 10 = 2`,
    ),
    codehostFlows: rows('codehost_flows', { nonce: "'flow-' || n", expires_at: ahead(1) }, each),
    loginGrants: rows(
      'login_grants',
      { grant_hash: "'grant-' || n", challenge: "'c'", user_id: user, expires_at: ahead(1) },
      each,
    ),
    apiTokens: rows(
      'api_tokens',
      {
        id: idOf('token', 'n'),
        user_id: user,
        repo_id: `case when n % 10 = 1 then ${idOf('repo', `((n - 1) % ${repos})`)} end`,
        name: "'ci'",
        scope: "'read'",
        hash: "'token-' || n",
        hint: "'sl_abcd'",
        created_at: ago(9),
        expires_at: ahead(90),
        revoked_at: `case when n % 20 = 3 then ${ago(1)} else ${never} end`,
      },
      each,
    ),
    invitations: rows(
      'invitations',
      {
        id: idOf('token', `(n + 1000000)`),
        token_hash: "'invitation-' || n",
        email: "'new-' || n || '@example.com'",
        email_key: "'new-' || n || '@example.com'",
        user_id: user,
        repo_id: `case when n % 10 = 1 then ${idOf('repo', `((n - 1) % ${repos})`)} end`,
        role: "case when n % 10 = 1 then 'viewer' end",
        created_at: ago(2),
        expires_at: ahead(5),
      },
      each,
    ),
    requestAnswers: rows(
      'request_answers',
      {
        user_id: evenly,
        route: "'POST /issues'",
        key: "'k-' || n",
        hash: "'h'",
        answer: json(`'{"body":{},"location":"/"}'`),
        created_at: `case when n % 10 = 0 then ${ago(2)} else ${at(now)} end`,
      },
      `numbers where n <= ${issues}`,
    ),
  };
}
