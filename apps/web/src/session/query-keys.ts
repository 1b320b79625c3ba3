/** The keys of the cache that are written in more than one place. What refreshes a key refreshes all that begin with it. */
export const queryKeys = {
  /** All lists of issues. */
  inbox: ['inbox'],
  issues: ['issue'],
  /** An issue, and what is known of it that changes with its events. */
  issue: (id: string) => ['issue', id] as const,
  audit: ['audit'],
  budgets: ['budgets'],
  sessions: ['sessions'],
  /** The accounts of the server with their sessions and API tokens, for its operators. */
  users: ['users'],
  secondFactors: ['second-factors'],
  tokens: ['tokens'],
  /** The API tokens that are limited to a repository. */
  repoTokens: (repoId: string) => ['tokens', repoId] as const,
  /** The notification targets, and their deliveries. */
  notifications: ['notifications'],
  /** The invitations of all users, for operators. */
  invitations: ['invitations'],
  repoInvitations: (repoId: string) => ['invitations', repoId] as const,
  members: (repoId: string) => ['members', repoId] as const,
  hostedRepos: ['hosted-repos'],
  hostedIssues: (repoId: string) => ['hosted-issues', repoId] as const,
} as const;
