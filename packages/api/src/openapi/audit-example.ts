interface Named {
  readonly issueId: string;
  readonly repoId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly at: string;
}

/** An entry of the audit log of the whole installation. */
export function auditOfAllExample({ issueId, repoId, userId, sessionId, at }: Named) {
  return {
    ordinal: 42,
    at,
    user_id: userId,
    actor: 'user',
    session_id: sessionId,
    token_id: null,
    repo_id: repoId,
    action: 'issue.decided',
    subject: { kind: 'issue', id: issueId },
    detail: { action: 'approve', on: 'plan', revision: 1 },
  };
}
