import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import type { Overview, Worker } from './overview-query.ts';

/** Something about the server that its operator should know, and what to do about it. */
export interface OperatorHint {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
}

/** Facts about the server that matter here and are no part of the overview. */
export interface ServerTraits {
  readonly sandbox: 'bwrap' | 'none';
  readonly isBuiltin: boolean;
}

/** The hints about a server as it is now, the worst first. */
export function operatorHints(overview: Overview, traits: ServerTraits): readonly OperatorHint[] {
  const { workers } = overview;
  const running = workers.filter(({ state }) => state === 'running');
  const hints = [
    ...unreachable(overview),
    ...(running.length === 0
      ? [bad('No worker is running, so no issue goes on. Start one: a server with ROLE=worker, or with ROLE=all.')]
      : []),
    ...(traits.sandbox === 'none'
      ? [
          bad(
            'The sandbox is off (SANDBOX=none): commands of repositories run with the rights of the server. Install bubblewrap, remove the variable and restart.',
          ),
        ]
      : []),
    ...running.flatMap(unusable),
    ...workers.filter(({ state }) => state === 'gone').map(gone),
    ...running
      .filter(({ version }) => version !== overview.version)
      .map((worker) => outdated(worker, overview.version)),
    ...(traits.isBuiltin
      ? [
          warn(
            'No model is configured, so only edits that an issue spells out are made. Set MODEL=provider/name and the key of its provider, and restart.',
          ),
        ]
      : []),
    ...crowded(overview),
  ];
  return hints.toSorted((one, other) => Number(one.tone === 'warn') - Number(other.tone === 'warn'));
}

const bad = (text: string): OperatorHint => ({ tone: 'bad', text });
const warn = (text: string): OperatorHint => ({ tone: 'warn', text });

const serviceNames = { database: 'the database', cache: 'the cache', vector_store: 'the vector store' } as const;

function unreachable({ readiness: { checks } }: Overview): OperatorHint[] {
  return (Object.keys(serviceNames) as (keyof typeof serviceNames)[])
    .filter((name) => checks[name].status === 'down')
    .map((name) => bad(`The server cannot reach ${serviceNames[name]}. The reason is in its log.`));
}

function unusable({ host, sandbox }: Worker): OperatorHint[] {
  if (sandbox === null || sandbox.usable) return [];
  const problem = visibleText(sandbox.problem ?? 'the reason is in its log');
  return [bad(`The worker on ${visibleText(host)} cannot run commands: ${problem}`)];
}

function gone({ host, pid }: Worker): OperatorHint {
  return warn(
    `The worker on ${visibleText(host)} (process ${pid}) has not been seen for a while: it was killed, cannot reach the database, or gets no issues from the job queue. Another worker takes over its issues.`,
  );
}

function outdated({ host, version }: Worker, current: string): OperatorHint {
  return warn(
    `The worker on ${visibleText(host)} has version ${visibleText(version)}, this server ${visibleText(current)}. Update the older one.`,
  );
}

function crowded({ slots, queue }: Overview): OperatorHint[] {
  const waiting = queue.waiting_for_slot;
  if (waiting === 0 || slots.some(({ holder, retired }) => holder === null && !retired)) return [];
  const wait = waiting === 1 ? '1 issue waits' : `${counted(waiting, 'issue')} wait`;
  return [
    warn(
      `All slots are taken and ${wait} for one. An issue keeps its slot while it waits for a decision. MAX_ACTIVE_PIPELINES gives more slots.`,
    ),
  ];
}
