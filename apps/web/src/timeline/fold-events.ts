import type { IssueEvent } from '@sluice/client';
import { gateAfter } from '../events/fold-milestones.ts';
import { hasEnded } from '../format/has-ended.ts';
import { plainEntry } from './plain-entry.ts';
import type { Entry, Pause, StageRun, TimelineItem } from './timeline-item.ts';

/** The events of an issue, folded into what the timeline shows. It grows with each event, in constant time. */
export interface TimelineFold {
  readonly items: readonly TimelineItem[];
  take(event: IssueEvent): void;
  /** The entry or the item that shows an event: its own, or that of the call or command whose result it is. */
  ownerOf(seq: number): number;
  /** The place in `items` of what shows an event, and the number of the entry there; null: the item itself. */
  locate(seq: number): { readonly item: number; readonly entry: number | null };
}

const LONG_ENOUGH_MS = 1_000; // a shorter pause is no pause to a reader

type Place = { readonly item: number; readonly entry: number };

export function createTimelineFold(): TimelineFold {
  const items: TimelineItem[] = [];
  const owners = new Map<number, number>();
  const places = new Map<number, Place>();
  const calls = new Map<string, number>();
  const commands = new Map<string, number[]>();
  const rounds = new Map<string, number>();
  /** The stage that runs, by its place; and the turn of its agent. */
  let running: number | null = null;
  let lastStage: string | null = null;
  let turn: { readonly agent: string; readonly at: string } | null = null;
  let pause: number | null = null;

  const run = (): StageRun | null => {
    const item = running === null ? undefined : items[running];
    return item?.kind === 'stage' ? item : null;
  };

  function changeRun(index: number, part: Partial<StageRun>): void {
    const item = items[index];
    if (item?.kind === 'stage') items[index] = { ...item, ...part, revision: item.revision + 1 };
  }

  function count(counter: keyof StageRun['counts']): void {
    const now = run();
    if (now !== null && running !== null)
      changeRun(running, { counts: { ...now.counts, [counter]: now.counts[counter] + 1 } });
  }

  /** Adds an entry to the stage that runs, or between the stages. */
  function add(entry: Entry): void {
    const now = run();
    if (now === null || running === null) {
      places.set(entry.seq, { item: items.length, entry: -1 });
      items.push({ kind: 'entry', seq: entry.seq, entry });
      return;
    }
    places.set(entry.seq, { item: running, entry: now.entries.length });
    (now.entries as Entry[]).push(entry);
    changeRun(running, {});
  }

  function replace<Kind extends Entry['kind']>(
    seq: number | undefined,
    kind: Kind,
    to: (entry: Extract<Entry, { kind: Kind }>) => Entry,
  ): boolean {
    const place = seq === undefined ? undefined : places.get(seq);
    const item = place === undefined ? undefined : items[place.item];
    if (place === undefined || item === undefined || item.kind === 'pause') return false;
    const entry = item.kind === 'entry' ? item.entry : item.entries[place.entry];
    if (entry?.kind !== kind) return false;
    const changed = to(entry as Extract<Entry, { kind: Kind }>);
    if (item.kind === 'entry') items[place.item] = { ...item, entry: changed };
    else {
      (item.entries as Entry[])[place.entry] = changed;
      changeRun(place.item, {});
    }
    return true;
  }

  function startTurn(agent: string, at: string): number | null {
    if (agent === 'service') return null;
    // A turn is written in one go: its message and its calls have the same time.
    if (turn?.agent !== agent || turn.at !== at) count('turns');
    turn = { agent, at };
    return run()?.counts.turns ?? null;
  }

  function startPause(event: Pick<IssueEvent, 'seq' | 'at'>, why: Pause['why']): void {
    if (pauseReason() === why) return;
    endPause(event.at);
    pause = items.length;
    items.push({ kind: 'pause', seq: event.seq, at: event.at, until: null, why });
  }

  function pauseReason(): Pause['why'] | null {
    const item = pause === null ? undefined : items[pause];
    return item?.kind === 'pause' ? item.why : null;
  }

  function endPause(at: string): void {
    const item = pause === null ? undefined : items[pause];
    if (pause !== null && item?.kind === 'pause') {
      const isShort = Date.parse(at) - Date.parse(item.at) < LONG_ENOUGH_MS;
      if (isShort && pause === items.length - 1) items.pop();
      else items[pause] = { ...item, until: at };
    }
    pause = null;
  }

  /** Marks the commands that still ran when their stage ended as interrupted; no event records that. */
  function cutOff(at: string): void {
    for (const seq of [...commands.values()].flat())
      replace(seq, 'command', (entry) => ({
        ...entry,
        end: { exit_code: null, duration_ms: since(entry.at, at), text: 'The command was cut off with its stage.' },
      }));
    commands.clear();
    // A result may still come: the next attempt takes up the conversation.
    for (const seq of calls.values())
      replace(seq, 'tool', (entry) => ({
        ...entry,
        result: entry.result ?? { ok: false, summary: 'The call was cut off with its stage.', ms: since(entry.at, at) },
      }));
  }

  function endRun(at: string, part: Partial<StageRun>): void {
    cutOff(at);
    if (running !== null) changeRun(running, part);
    running = null;
    turn = null;
  }

  function startStage({ seq, at, data }: Extract<IssueEvent, { type: 'stage.started' }>): void {
    if (running !== null) endRun(at, { outcome: 'interrupted' });
    endPause(at);
    lastStage = data.stage;
    if (data.attempt === 1) rounds.set(data.stage, (rounds.get(data.stage) ?? 0) + 1);
    running = items.length;
    items.push({
      kind: 'stage',
      seq,
      at,
      ...data,
      round: rounds.get(data.stage) ?? 1,
      outcome: 'running',
      willRetry: false,
      retry: null,
      durationMs: null,
      usage: null,
      detail: null,
      entries: [],
      revision: 0,
      counts: { turns: 0, tools: 0, commands: 0, failures: 0 },
    });
  }

  function takeStatus(event: Extract<IssueEvent, { type: 'issue.status' }>): void {
    const { to, queue_position, detail } = event.data;
    const isEnd = hasEnded(to);
    if (isEnd && running !== null) endRun(event.at, { outcome: 'interrupted', durationMs: since(run()?.at, event.at) });
    if (to === 'pending') startPause(event, pendingPause(queue_position, detail));
    else if (to === 'awaiting_approval') startPause(event, 'decision');
    else if (isEnd || pauseReason() !== 'retry') endPause(event.at);
    if (isEnd) add({ seq: event.seq, at: event.at, kind: 'status', to, detail: detail ?? null });
  }

  function takeCreated(event: Extract<IssueEvent, { type: 'issue.created' }>): void {
    const { origin, queued_at, waits_for_repo, queue_position } = event.data.issue;
    add({ seq: event.seq, at: event.at, kind: 'created', origin });
    if (waits_for_repo) startPause(event, 'repo');
    else startPause(event, queued_at === null && queue_position === null ? 'start' : 'queue');
  }

  function takeCommandEnd({ seq, at, data }: Extract<IssueEvent, { type: 'command.finished' }>): void {
    const { command, ...end } = data;
    const started = commands.get(command)?.shift();
    const isKnown = replace(started, 'command', (entry) => ({ ...entry, end }));
    if (isKnown && started !== undefined) owners.set(seq, started);
    else add({ seq, at, kind: 'command', command, end });
    if (end.exit_code !== 0) count('failures');
  }

  function takeToolResult({ seq, at, data }: Extract<IssueEvent, { type: 'agent.tool_result' }>): void {
    const { call_id, tool, ok, summary } = data;
    const started = calls.get(call_id);
    calls.delete(call_id);
    const isKnown = replace(started, 'tool', (entry) => ({
      ...entry,
      result: { ok, summary, ms: since(entry.at, at) },
    }));
    if (isKnown && started !== undefined) owners.set(seq, started);
    else add({ seq, at, kind: 'tool', tool, input: {}, result: { ok, summary, ms: 0 } });
    if (!ok) count('failures');
  }

  function takeStageFailure({ seq, at, data }: Extract<IssueEvent, { type: 'stage.failed' }>): void {
    endRun(at, {
      outcome: 'failed',
      durationMs: data.duration_ms,
      detail: data.detail,
      willRetry: data.will_retry,
      retry: data.retry ?? null,
    });
    if (data.will_retry) startPause({ seq, at }, 'retry');
  }

  function take(event: IssueEvent): void {
    const { seq, at } = event;
    switch (event.type) {
      case 'issue.created':
        takeCreated(event);
        break;
      case 'issue.status':
        takeStatus(event);
        break;
      case 'stage.started':
        startStage(event);
        break;
      case 'stage.completed': {
        const { duration_ms, usage, detail } = event.data;
        endRun(at, { outcome: 'completed', durationMs: duration_ms, usage, detail });
        break;
      }
      case 'stage.failed':
        takeStageFailure(event);
        break;
      case 'budget.warning': // a message of the service says the same
        break;
      case 'agent.message': {
        const { agent, text } = event.data;
        const turn = startTurn(agent, at);
        add({ seq, at, kind: 'message', agent, text, turn });
        break;
      }
      case 'agent.tool_call': {
        const { agent, call_id, tool, input } = event.data;
        startTurn(agent, at);
        calls.set(call_id, seq);
        add({ seq, at, kind: 'tool', tool, input, result: null });
        count('tools');
        break;
      }
      case 'agent.tool_result':
        takeToolResult(event);
        break;
      case 'command.started': {
        const { command } = event.data;
        commands.set(command, [...(commands.get(command) ?? []), seq]);
        add({ seq, at, kind: 'command', command, end: null });
        count('commands');
        break;
      }
      case 'command.finished':
        takeCommandEnd(event);
        break;
      case 'note.read': {
        const read = { agent: event.data.agent, turn: (run()?.counts.turns ?? 0) + 1 };
        if (replace(event.data.seq, 'note', (entry) => ({ ...entry, read }))) owners.set(seq, event.data.seq);
        break;
      }
      case 'review.requested':
        add({ seq, at, kind: 'gate', on: gateAfter(lastStage), revision: event.data.revision });
        break;
      case 'review.approved':
        add({ seq, at, kind: 'approval', on: gateAfter(lastStage), approval: event.data });
        break;
      case 'review.decided':
        endPause(at);
        add({ seq, at, kind: 'decision', on: gateAfter(lastStage), decision: event.data });
        break;
      default:
        add(plainEntry(event));
    }
  }

  return {
    items,
    take,
    ownerOf: (seq) => owners.get(seq) ?? seq,
    locate(seq) {
      const owner = owners.get(seq) ?? seq;
      const place = places.get(owner);
      if (place !== undefined) return { item: place.item, entry: place.entry < 0 ? null : owner };
      // An event that only began or ended something belongs to the last item that had begun before it.
      return {
        item: Math.max(
          0,
          items.findLastIndex((item) => item.seq <= seq),
        ),
        entry: null,
      };
    },
  };
}

function pendingPause(position: number | null, detail: string | undefined): Pause['why'] {
  return position === null && detail !== undefined ? 'repo' : 'queue'; // the detail says so; a slot has positions
}

function since(from: string | undefined, to: string): number {
  return from === undefined ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
}
