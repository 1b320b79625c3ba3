import { randomUUID } from 'node:crypto';
import type { SeededDatabase } from './seeded-database.ts';

const MINUTE = 60_000;
const CHAT = 'https://hooks.slack.example/services/T024F/B024F/x9Fq2';
const BOT = 'https://deploy.example.com/hooks/sluice';

interface Told {
  readonly userId: string;
  readonly repoId: string;
  readonly issueId: string;
}

/** A chat that works, and a bot that stopped answering. Neither is subscribed to an event that a test causes. */
export function seedNotifications(database: SeededDatabase, { userId, repoId, issueId }: Told): void {
  const at = (minutes: number) => Date.now() - minutes * MINUTE;
  const target = (description: string, more: Record<string, string | number | readonly string[] | null>) => ({
    id: randomUUID(),
    user_id: userId,
    channel: 'webhook',
    events: ['budget.warning'],
    description,
    created_at: at(9_000),
    updated_at: at(9_000),
    ...more,
  });
  const bot = target('The deploy bot', {
    url: BOT,
    format: 'standard',
    repo_id: repoId,
    events: ['budget.warning', 'change_request.closed'],
    failing_since: at(130),
  });
  database.insert('notification_targets', [bot]);
  database.insert('notification_targets', [target('The team’s channel', { url: CHAT, format: 'slack' })]);

  const told = (type: string, minutes: number, of: Record<string, string | number | null>) => {
    const id = randomUUID();
    const data = {
      issue_id: issueId,
      title: 'Print a discount as a percentage',
      repo: { id: repoId, name: 'invoice' },
    };
    return {
      id,
      message_id: `msg_${id}`,
      target_id: bot.id,
      issue_id: issueId,
      notification: { type, timestamp: new Date(at(minutes)).toISOString(), data: { ...data, status: 'completed' } },
      created_at: at(minutes),
      ended_at: at(minutes) + 50,
      ...of,
    };
  };
  const failed = { attempts: 10, last_status: 502, last_error: 'The receiver answered 502.', latency_ms: 61 };
  const delivered = { status: 'delivered', attempts: 1, last_status: 204, last_error: null, latency_ms: 38 };
  database.insert('notification_deliveries', [
    told('gate.opened', 4_500, delivered),
    told('issue.completed', 4_460, delivered),
    told('change_request.opened', 4_459, { ...delivered, latency_ms: 44 }),
    told('change_request.merged', 4_400, { ...failed, status: 'given_up', ended_at: at(120) }),
  ]);
}
