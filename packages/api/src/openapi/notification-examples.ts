const TARGET = '0193a5c4-2f10-7b6e-8d31-94e0c7a5b218';
const DELIVERY = '0193a5c7-61aa-7c09-b7f4-3d2e8a90c5f1';

/** Example answers about one webhook and a delivery to it. */
export function notificationExamples(of: {
  readonly issue: { readonly id: string; readonly title: string };
  readonly repo: { readonly id: string; readonly name: string };
  readonly at: string;
  readonly later: string;
}): Readonly<Record<string, unknown>> {
  const { issue, repo, at, later } = of;
  const target = {
    id: TARGET,
    channel: 'webhook',
    url: 'https://example.com/hooks/sluice',
    format: 'standard',
    events: ['gate.opened', 'issue.failed'],
    repo_id: null,
    description: 'The team’s bot',
    enabled: true,
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: at,
    updated_at: at,
  };
  const delivery = {
    id: DELIVERY,
    message_id: `msg_${DELIVERY}`,
    replay_of: null,
    target_id: TARGET,
    issue_id: issue.id,
    notification: {
      type: 'gate.opened',
      timestamp: later,
      data: {
        issue_id: issue.id,
        title: issue.title,
        repo: { id: repo.id, name: repo.name },
        status: 'awaiting_approval',
        revision: 1,
        expires_at: null,
        url: `https://sluice.example.com/issues/${issue.id}`,
      },
    },
    status: 'delivered',
    attempts: 1,
    next_attempt_at: null,
    last_status: 204,
    last_error: null,
    latency_ms: 41,
    created_at: later,
    ended_at: later,
  };
  const test = {
    ...delivery,
    issue_id: null,
    notification: {
      type: 'test',
      timestamp: later,
      data: { target_id: TARGET, url: 'https://sluice.example.com/settings' },
    },
    status: 'pending',
    attempts: 0,
    next_attempt_at: later,
    last_status: null,
    latency_ms: null,
    ended_at: null,
  };
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  return {
    'notifications.list': { items: [target] },
    'notifications.create': { ...target, secret },
    'notifications.get': target,
    'notifications.update': target,
    'notifications.rotateSecret': { secret },
    'notifications.deliveries': { items: [delivery], next_cursor: null },
    'notifications.test': test,
    'notifications.replay': { replayed: 3, next_from: null },
  };
}
