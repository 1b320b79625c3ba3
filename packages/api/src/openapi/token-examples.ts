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
