interface Shown {
  /** An issue at a gate, and one that was imported: whole, as `issues.get` answers. */
  readonly awaiting: object;
  readonly draft: object;
  readonly repoName: string;
  readonly since: string;
}

/** An example of an inbox, of two whole issues. */
export function inboxExample({ awaiting, draft, repoName: repo_name, since }: Shown) {
  const none = { items: [], more: false };
  return {
    needs_you: {
      items: [
        { ...summaryOf(awaiting), repo_name, wants: 'question', since, holds_up: { repo: 1, slot: 0 }, error: null },
      ],
      more: false,
    },
    waits_for_others: none,
    running: none,
    queued: none,
    drafts: { items: [{ ...summaryOf(draft), repo_name }], more: false },
    done: none,
    counts: {
      pending: 1,
      running: 0,
      human_review: 0,
      awaiting_approval: 1,
      completed: 0,
      rejected: 0,
      failed: 0,
      cancelled: 0,
    },
  };
}

/** Without what a summary leaves out. */
function summaryOf(issue: object) {
  const { body, plan, gate, result, error, triage, commands, budget, follow_up, ...rest } = issue as Record<
    string,
    unknown
  >;
  return { ...rest, branch: null, change_request_url: null, verdict: null, form: 'summary' };
}

interface Uploaded {
  readonly issue: string;
  readonly user: string;
  readonly at: string;
}

/** Examples of answers about attachments. */
export function attachmentExamples({ issue, user, at }: Uploaded): Readonly<Record<string, unknown>> {
  const attachment = {
    id: '0193a5b0-9d11-7a52-8e3c-2b7f5d9c6a10',
    name: 'server.log',
    media_type: 'text/plain',
    bytes: 10,
    width: null,
    height: null,
    user_id: user,
    issue_id: null,
    created_at: at,
  };
  return {
    'attachments.upload': attachment,
    'attachments.list': { items: [{ ...attachment, issue_id: issue }] },
  };
}
