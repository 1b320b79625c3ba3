import type { Size } from './size.ts';
import { idOf, row, rows, timesAround, type Words } from './words.ts';

/** What belongs to the installation, and what is sent out of it. */
type Filled = Readonly<
  Record<
    | 'installation'
    | 'workers'
    | 'budgets'
    | 'spending'
    | 'auditEntries'
    | 'auditSeals'
    | 'codehostSites'
    | 'codehostRemovals'
    | 'codehostDeliveries'
    | 'codehostInbox'
    | 'codehostPolls'
    | 'notificationTargets'
    | 'notificationSecrets'
    | 'notificationDeliveries',
    string
  >
>;

const ENTRIES_A_SEAL = 100;
const NOTIFICATION = `{"type":"issue.completed","timestamp":"2026-11-01T00:00:00.000Z","data":{"issue":{"title":"Issue"}}}`;

export function otherRows({ issues, users, repos, now }: Size, { at, json, never }: Words): Filled {
  const { ago, ahead } = timesAround(now, at);
  const spent = {
    input_tokens: 1000,
    output_tokens: 100,
    cost_usd: 0.5,
    calls: 3,
    unpriced_calls: 0,
  };
  const month = "'2026-' || case when m.n < 10 then '0' else '' end || m.n";
  const perMonth = (kind: 'user' | 'repo', count: number) =>
    rows(
      'spending',
      { month, kind: `'${kind}'`, subject: idOf(kind, '(a.n - 1)'), ...spent },
      `numbers m cross join numbers a where m.n <= 11 and a.n <= ${count}`,
    );
  /** The first user gets every second notification, at one of their targets. */
  const target = idOf('target', `case when m.n % 2 = 0 then 1 else 1 + m.n % ${users} end`);
  const isDue = 'm.n % 500 = 7';
  return {
    installation: `${row('installation', { id: 1, epoch: "'0a0b0c0d'" })} on conflict do nothing`,
    workers: rows(
      'workers',
      {
        id: "'worker-' || n",
        host_name: "'host'",
        pid: 'n',
        role: "'worker'",
        version: "'1.0.0'",
        concurrency: 4,
        started_at: ago(1),
        seen_at: ahead(1),
      },
      'numbers where n <= 3',
    ),
    budgets: rows(
      'budgets',
      { kind: "'repo'", subject: idOf('repo', '(n - 1)'), cost_usd: 100, updated_at: ago(9) },
      `numbers where n <= ${repos} and n % 4 = 1`,
    ),
    spending: `${perMonth('user', users)}; ${perMonth('repo', repos)}`,
    auditEntries: rows(
      'audit_entries',
      {
        user_id: `case when m.n % 100 = 0 then null else ${idOf('user', 'm.un')} end`,
        actor: "'user'",
        action: "'issue.created'",
        subject_id: idOf('issue', 'm.n'),
        repo_id: `case when m.n % 5 = 0 then null else ${idOf('repo', 'm.rn')} end`,
        detail: json("'{}'"),
        at: at('m.ms'),
      },
      'made m order by m.n',
    ),
    auditSeals: rows(
      'audit_seals',
      {
        number: 'n',
        previous_number: 'n - 1',
        previous: "'mac-' || (n - 1)",
        from_ordinal: `(n - 1) * ${ENTRIES_A_SEAL} + 1`,
        to_ordinal: `n * ${ENTRIES_A_SEAL}`,
        entries: ENTRIES_A_SEAL,
        total: `n * ${ENTRIES_A_SEAL}`,
        digest: "'d'",
        key_id: "'k'",
        sealed_at: ago(1),
        mac: "'mac-' || n",
      },
      `numbers where n <= ${Math.floor(issues / ENTRIES_A_SEAL)}`,
    ),
    codehostSites: `${row('codehost_sites', { id: 1, origin: "'https://host.example.com'", since: ago(300) })} on conflict do nothing`,
    codehostRemovals: rows(
      'codehost_removals',
      { repo_id: idOf('repo', '(n - 1)'), origin: "'#' || n", at: ago(9) },
      `numbers where n <= ${repos} and n % 10 = 1`,
    ),
    codehostDeliveries: rows('codehost_deliveries', { id: "'d-' || n", at: ago(10) }, `numbers where n <= ${issues}`),
    codehostInbox: rows(
      'codehost_inbox',
      {
        codehost_repo_id: "'' || (10 * (m.n % 20) + 1)",
        kind: "'change_request'",
        number: 'm.n',
        mark: 1,
        marked_at: ago(1),
        run_after: `case when m.n % 400 = 0 then ${ahead(1)} else ${never} end`,
        failures: 0,
      },
      `made m where m.n <= ${issues} and m.n % 4 = 0`,
    ),
    codehostPolls: rows(
      'codehost_polls',
      { codehost_repo_id: "'' || n", due_at: ahead(1) },
      `numbers where n <= ${repos} and n % 10 = 1`,
    ),
    notificationTargets: rows(
      'notification_targets',
      {
        id: idOf('target', 'n'),
        user_id: idOf('user', '(n - 1)'),
        channel: "case when n % 4 = 3 then 'email' else 'webhook' end",
        url: "case when n % 4 <> 3 then 'https://example.com/hook' end",
        format: "'standard'",
        events: json(`'["issue.completed"]'`),
        repo_id: `case when n % 10 = 5 then ${idOf('repo', '(n - 1)')} end`,
        created_at: ago(100),
        updated_at: ago(100),
      },
      `numbers where n <= ${users}`,
    ),
    notificationSecrets: rows(
      'notification_secrets',
      {
        id: "'secret-' || n",
        target_id: idOf('target', 'n'),
        encrypted: "'e'",
        nonce: "'n'",
        created_at: ago(100),
        expires_at: `case when n % 20 = 0 then ${ahead(1)} else ${never} end`,
      },
      `numbers where n <= ${users}`,
    ),
    notificationDeliveries: rows(
      'notification_deliveries',
      {
        id: idOf('delivery', 'm.n'),
        message_id: `'msg_' || ${idOf('delivery', 'm.n')}`,
        target_id: target,
        issue_id: `case when m.n % 50 = 0 then null else ${idOf('issue', 'm.n')} end`,
        notification: json(`'${NOTIFICATION}'`),
        status: `case when ${isDue} then 'pending' when m.n % 50 = 3 then 'given_up' else 'delivered' end`,
        attempts: 1,
        next_attempt_at: `case when ${isDue} then ${ahead(1)} else ${never} end`,
        last_status: 200,
        latency_ms: 12,
        created_at: ago(`25.0 * (${issues} - m.n) / ${issues}`),
        ended_at: `case when ${isDue} then ${never} else ${ago(`25.0 * (${issues} - m.n) / ${issues}`)} end`,
      },
      `made m where m.n <= ${issues} order by m.n`,
    ),
  };
}
