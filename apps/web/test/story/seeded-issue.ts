import { createHash, randomBytes } from 'node:crypto';
import type { Row, SeededDatabase } from './seeded-database.ts';
import { patchOf, type SeededFile } from './seeded-patch.ts';

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

export interface SeededPlan {
  readonly revision: number;
  readonly summary: string;
  readonly steps: readonly { readonly title: string; readonly detail: string; readonly files: readonly string[] }[];
  readonly acceptance_criteria: readonly string[];
  readonly risks: readonly string[];
  readonly test_strategy: string;
  readonly setup_command?: string;
  readonly guidance: string | null;
}

interface Beginning {
  readonly userId: string;
  readonly repoId: string;
  readonly title: string;
  readonly body: string;
  readonly labels?: readonly string[];
  readonly branch?: string;
  /** The time at which it was created, in milliseconds. */
  readonly at: number;
}

interface StageOptions {
  readonly agent?: string;
  readonly ms?: number;
  readonly usage?: Usage;
  readonly detail?: string | null;
  readonly attempt?: number;
  /** The reason of its failure. */
  readonly failure?: string;
}

/** The history of an issue, event by event, as the service writes it. */
export interface SeededIssue {
  readonly id: string;
  readonly now: () => number;
  wait(ms: number): void;
  event(type: string, data: object): number;
  status(to: string, stage: string | null, detail?: string): void;
  stage(stage: string, options: StageOptions, work?: () => void): void;
  /** A stage that is still under way when the story ends. */
  begin(stage: string, agent: string): void;
  tool(agent: string, call: { tool: string; input: object; ok?: boolean; summary: string }): void;
  /** A command with its output, of which the event has the end. */
  command(command: string, run: { text: string; exit?: number; ms?: number; errors?: string }): void;
  /** Output of a command whose events are written otherwise. */
  output(command: string, text: string, stream?: 'stdout' | 'stderr'): void;
  /** Stands in the log where output of a command was not kept. */
  leaveOut(command: string, leftOut: { readonly characters: number; readonly lines: number }): void;
  plan(plan: SeededPlan, triage: object): void;
  patch(files: readonly SeededFile[], commits: { readonly base: string; readonly head: string | null }): void;
  /** Writes it all, with what the row of the issue says besides. */
  write(database: SeededDatabase, row: Row): void;
}

const TAIL = 2_000; // characters of output that an event has
const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };

export function seedIssue(beginning: Beginning): SeededIssue {
  const { userId, repoId, title, body, labels = [], branch = 'main' } = beginning;
  const id = uuidAt(beginning.at);
  const events: Row[] = [];
  const log: Row[] = [];
  const steps: Row[] = [];
  const plans: Row[] = [];
  const patches: Row[] = [];
  const rounds = new Map<string, number>();
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 as number | null };
  let now = beginning.at;
  let current = { status: 'pending', stage: null as string | null };
  let calls = 0;

  const event = (type: string, data: object) => {
    events.push({ issue_id: id, seq: events.length + 1, type, data, at: now, user_id: userId });
    return events.length;
  };
  const output = (command: string, text: string, stream: 'stdout' | 'stderr' = 'stdout') => {
    log.push({ issue_id: id, seq: log.length + 1, command, stream, text, at: now });
  };
  const issue: SeededIssue = {
    id,
    now: () => now,
    event,
    output,
    leaveOut(command, leftOut) {
      const text = `\n[${leftOut.characters} characters in ${leftOut.lines} lines left out]\n`;
      log.push({ issue_id: id, seq: log.length + 1, command, stream: 'stdout', text, at: now, left_out: leftOut });
    },
    wait(ms) {
      now += ms;
    },
    status(to, stage, detail) {
      event('issue.status', { from: current.status, to, stage, queue_position: null, ...(detail && { detail }) });
      current = { status: to, stage };
    },
    stage(stage, options, work) {
      const { agent = 'service', ms = 1_000, usage: used = NO_USAGE, detail = null, attempt = 1, failure } = options;
      const round = (rounds.get(stage) ?? 0) + (attempt === 1 ? 1 : 0);
      rounds.set(stage, round);
      const started = now;
      if (current.stage !== stage) issue.status('running', stage);
      event('stage.started', { stage, agent, attempt });
      work?.();
      now = Math.max(now, started + ms);
      const run = { stage, agent, attempt, duration_ms: now - started };
      if (failure === undefined) event('stage.completed', { ...run, usage: used, detail });
      else event('stage.failed', { ...run, detail: failure, will_retry: false });
      usage.input_tokens += used.input_tokens;
      usage.output_tokens += used.output_tokens;
      usage.cost_usd = usage.cost_usd === null || used.cost_usd === null ? null : usage.cost_usd + used.cost_usd;
      steps.push({
        issue_id: id,
        ...{ stage, round, attempt, agent, started_at: started, finished_at: now },
        outcome: failure === undefined ? 'completed' : 'failed',
        ...used,
        detail: failure ?? detail,
      });
    },
    begin(stage, agent) {
      issue.status('running', stage);
      event('stage.started', { stage, agent, attempt: 1 });
      steps.push({
        issue_id: id,
        ...{ stage, round: 1, attempt: 1, agent, started_at: now, finished_at: null, outcome: null },
        ...{ ...NO_USAGE, detail: null },
      });
    },
    tool(agent, { tool, input, ok = true, summary }) {
      calls += 1;
      const call = { agent, call_id: `call_${calls}`, tool };
      event('agent.tool_call', { ...call, input });
      now += 40;
      event('agent.tool_result', { ...call, ok, summary });
    },
    command(command, { text, exit = 0, ms = 1_000, errors }) {
      event('command.started', { command });
      now += ms;
      output(command, text);
      if (errors !== undefined) output(command, errors, 'stderr');
      event('command.finished', { command, exit_code: exit, duration_ms: ms, text: text.slice(-TAIL) });
    },
    plan(plan, triage) {
      const document = { ...plan, created_at: new Date(now).toISOString() };
      plans.push({ issue_id: id, revision: plan.revision, document });
      event('plan.created', { plan: document, triage });
      event('review.requested', { revision: plan.revision });
      issue.status('human_review', 'human_review');
      issue.status('awaiting_approval', 'human_review');
    },
    patch(files, { base, head }) {
      const changed = files.map((file) => ({ path: file.path, ...countsOf(file) }));
      event('diff.updated', { files: changed });
      patches.splice(0, 1, {
        issue_id: id,
        ...{ base_commit: base, head_commit: head, files: changed, diff: patchOf(files), updated_at: now },
      });
    },
    write(database, row) {
      const created = new Date(beginning.at).toISOString();
      events[0] = { ...events[0], data: { issue: createdIssue({ id, repoId, title, body, created, branch, labels }) } };
      const isEnd = ['completed', 'failed', 'rejected', 'cancelled'].includes(current.status);
      database.insert('issues', [
        {
          ...{ id, user_id: userId, repo_id: repoId, title, body, origin: 'api', labels, base_branch: branch },
          ...{ status: current.status, stage: current.stage, pipeline: { branch: null, warnings: [] } },
          ...usage,
          ...{ plan_revision: (plans.at(-1)?.revision as number | undefined) ?? null, lease_epoch: 1 },
          active_remote: isEnd ? null : `seeded:${id}`,
          ...{ created_at: beginning.at, updated_at: now, queued_at: beginning.at, started_at: beginning.at },
          ...{ finished_at: isEnd ? now : null, last_seq: events.length },
          ...row,
        },
      ]);
      database.insert('events', events);
      database.insert('command_log', log);
      database.insert('steps', steps);
      database.insert('plans', plans);
      database.insert('patches', patches);
    },
  };
  event('issue.created', {}); // complete when it is written
  return issue;
}

function countsOf({ lines }: SeededFile): { additions: number; deletions: number } {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: count('+'), deletions: count('-') };
}

function createdIssue(of: {
  readonly id: string;
  readonly repoId: string;
  readonly title: string;
  readonly body: string;
  readonly created: string;
  readonly branch: string;
  readonly labels: readonly string[];
}): object {
  const { id, repoId, title, body, created, branch, labels } = of;
  return {
    ...{ id, repo_id: repoId, title, body, status: 'pending', stage: null, origin: 'api', labels },
    ...{
      parent_issue_id: null,
      follow_up: null,
      codehost_number: null,
      codehost_url: null,
      change_request_state: null,
    },
    ...{ base_branch: branch, plan: null, gate: null, result: null, error: null, usage: NO_USAGE, triage: null },
    ...{ commands: null, budget: null, queue_position: 1, waits_for_repo: false },
    ...{ queue_reason: 'slot' as const, held_by_budget: null },
    ...{ created_at: created, updated_at: created, queued_at: created, started_at: null, finished_at: null },
  };
}

/** An id of version 7: lists are in the order of these. */
function uuidAt(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  const random = randomBytes(9).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`;
}

/** A commit that looks like one. */
export function commitOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
