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
