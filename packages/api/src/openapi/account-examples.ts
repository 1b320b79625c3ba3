const preferences = { theme: 'system', diff: 'split', notifications: false, shortcuts: true };

/** Example answers of the operations on preferences and second factors. */
export function accountExamples({ at, later }: { readonly at: string; readonly later: string }) {
  const id = '0193a59e-4d2f-7f08-9c6e-1d84b2a7c6aa';
  const app = { id, kind: 'totp', name: 'Phone', created_at: at, last_used_at: later };
  const begun = { challenge: 'Zk3wq1nB0tY8cRj5Lh2xVdS7uPo4Ea9GmTfKiQy6WbM', expires_at: later };
  const codes = ['7K3M-Q2XD-9FHA-B4TE', 'C8WN-50RJ-ZP6G-1YVS'];
  return {
    'auth.preferences.get': preferences,
    'auth.preferences.update': { ...preferences, theme: 'dark' },
    'auth.account.deletion': {
      proof: 'password',
      last_operator: false,
      issues_to_cancel: 1,
      issues_kept: 12,
      repos: [
        {
          id: '0193a5a2-1b0c-7e11-8a55-0f3d9c4b7a10',
          name: 'acme/shop',
          heir: { user_id: '0193a59e-4d20-7a11-8f3e-9b2d6c1e5f70', name: 'Grace', codehost_login: null },
          issues: 12,
          issues_of_others: 4,
          token_dropped: false,
        },
      ],
    },
    'auth.secondFactors.list': {
      items: [app],
      recovery_codes_left: 10,
      required: false,
      must_enroll: false,
      passkey_origin: 'https://sluice.example.com',
    },
    'auth.secondFactors.beginTotp': {
      ...begun,
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      otpauth_uri:
        'otpauth://totp/Sluice:ada%40example.com?issuer=Sluice&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    },
    'auth.secondFactors.beginPasskey': {
      ...begun,
      options: {
        challenge: 'pN7sXr2Vd9Kc4Hj0Tf6Lw1Bz8Qm5Gy3EaUoRiYtCkWs',
        rp: { name: 'Sluice', id: 'sluice.example.com' },
        user: { id: 'MDE5M2E1OWU', name: 'ada@example.com', displayName: 'Ada' },
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      },
    },
    'auth.secondFactors.add': { second_factor: { ...app, last_used_at: null }, recovery_codes: codes },
    'auth.secondFactors.rename': { ...app, name: 'Old phone' },
    'auth.secondFactors.replaceRecoveryCodes': { recovery_codes: codes },
  };
}

/** Example answers of the operations on members. */
export function memberExamples({ userId, at }: { readonly userId: string; readonly at: string }) {
  const member = {
    user_id: userId,
    name: 'Grace',
    email: null,
    codehost_login: 'grace',
    role: 'approver',
    origin: 'added',
    since: at,
  };
  return { 'repos.members': { items: [member] }, 'repos.addMember': member, 'repos.changeMember': member };
}

const provider = {
  provider: 'company',
  name: 'Example Company',
  linked_at: '2026-11-20T09:15:00.000Z',
  last_sign_in_at: '2026-11-27T08:30:00.000Z',
  current: true,
};

const authorizationUrl =
  'https://id.example.com/authorize?response_type=code&client_id=sluice&state=b3BhcXVl&code_challenge_method=S256';

/** Examples of answers about sign-ins at other services, by operation. */
export const signInExamples = {
  'auth.oidc.start': { authorization_url: authorizationUrl },
  'auth.oidc.cli.start': {
    code: 'BCDF-GHJK',
    confirm_url: 'https://sluice.example.com/api/auth/oidc/company/cli/confirm/b3BhcXVl',
  },
  'auth.oidc.identities': { items: [provider] },
  'auth.oidc.logout': { end_session_url: 'https://id.example.com/logout?client_id=sluice' },
  'auth.codehost.start': {
    authorization_url: 'https://example.com/login/authorize?client_id=sluice&state=b3BhcXVl&code_challenge=aGFzaA',
  },
  'auth.codehost.cli.start': {
    code: '7GQK-2M9V-T4XD',
    confirm_url: 'https://sluice.example.com/api/auth/codehost/cli/confirm/b3BhcXVl',
  },
} as const;

/** Example answers of the operations on API tokens. */
export function tokenExamples({ userId, repoId, at }: Readonly<Record<'userId' | 'repoId' | 'at', string>>) {
  const token = {
    id: '0193a5c4-2f6b-7a10-8d3e-4c5b6a798801',
    name: 'CI of shop',
    scope: 'write',
    repo_id: repoId,
    hint: 'k3Xz',
    user_id: userId,
    created_at: at,
    expires_at: '2027-02-18T09:15:00.000Z',
    last_used_at: null,
    last_client: null,
  };
  const owned = { ...token, user_name: 'Grace', user_codehost_login: 'grace' };
  return {
    'admin.userTokens': { items: [token], next_cursor: null },
    'tokens.list': { items: [token], next_cursor: null },
    'tokens.create': { ...token, token: 'slc_…' },
    'repos.tokens': { items: [owned], next_cursor: null },
  };
}
