import type { IssueEvent } from '@sluice/client';
import type { FeedState } from './issue-feed.ts';

export interface Decided {
  readonly seq: number;
  readonly at: string;
  readonly action: 'approve' | 'reject' | 'instruct';
  readonly revision: number;
  readonly guidance: string | null;
  readonly userId: string;
  /** The subject of the decision: the plan, or the publication of a change. */
  readonly on: 'plan' | 'publish';
}

/** A note to the agents, and who has read it at which turn. */
export interface Note {
  readonly seq: number;
  readonly at: string;
  readonly text: string;
  readonly seen: { readonly agent: string; readonly turn: number } | null;
}

interface Milestones {
  readonly decisions: readonly Decided[];
  readonly notes: readonly Note[];
  /** The answers that each agent has given since its stage began, and whether it is giving one. */
  readonly turns: Readonly<Record<string, { readonly count: number; readonly isAnswering: boolean }>>;
  /** The stage that began last. */
  readonly stage: string | null;
  /** What became of each remark that was answered, by its id. */
  readonly remarks: Readonly<Record<string, Extract<IssueEvent, { type: 'remark.answered' }>['data']['outcome']>>;
}

export const NO_MILESTONES: Milestones = { decisions: [], notes: [], turns: {}, stage: null, remarks: {} };

/** Adds the events that follow to what is known of an issue. */
export function foldMilestones(before: Milestones, events: readonly IssueEvent[]): Milestones {
  return events.reduce(fold, before);
}

function fold(state: Milestones, event: IssueEvent): Milestones {
  switch (event.type) {
    case 'stage.started':
      return { ...withTurn(state, event.data.agent, { count: 0, isAnswering: false }), stage: event.data.stage };
    case 'agent.message':
    case 'agent.tool_call':
      return answering(state, event.data.agent);
    case 'agent.tool_result':
      return withTurn(state, event.data.agent, { ...turnOf(state, event.data.agent), isAnswering: false });
    case 'user.message':
      return { ...state, notes: [...state.notes, { seq: event.seq, at: event.at, text: event.data.text, seen: null }] };
    case 'note.read': {
      const { agent, seq } = event.data;
      const seen = { agent, turn: turnOf(state, agent).count + 1 };
      const notes = state.notes.map((note) => (note.seq === seq && note.seen === null ? { ...note, seen } : note));
      return { ...withTurn(state, agent, { ...turnOf(state, agent), isAnswering: false }), notes };
    }
    case 'remark.answered': {
      const { remark, outcome } = event.data;
      return { ...state, remarks: { ...state.remarks, [remark]: outcome } };
    }
    case 'review.decided': {
      const { action, revision, guidance, user_id: userId } = event.data;
      const decided = { seq: event.seq, at: event.at, action, revision, guidance, userId, on: gateAfter(state.stage) };
      return { ...state, decisions: [...state.decisions, decided] };
    }
    default:
      return state;
  }
}

/** Which gate a decision is on, by the stage that began last: both gates write the same events. */
export function gateAfter(stage: string | null): Decided['on'] {
  return stage === 'publish' || stage === 'review' ? 'publish' : 'plan';
}

function turnOf({ turns }: Milestones, agent: string) {
  return turns[agent] ?? { count: 0, isAnswering: false };
}

/** A message and its tool calls are one answer; what a tool returned begins the next. */
function answering(state: Milestones, agent: string): Milestones {
  const { count, isAnswering } = turnOf(state, agent);
  return isAnswering ? state : withTurn(state, agent, { count: count + 1, isAnswering: true });
}

function withTurn(state: Milestones, agent: string, turn: Milestones['turns'][string]): Milestones {
  return { ...state, turns: { ...state.turns, [agent]: turn } };
}

interface SeenGate {
  readonly kind: Decided['on'];
  readonly revision: number;
  readonly requestedAt: string;
}

/** The decision on a gate that somebody else took first; undefined while it is not known, and where the gate ended otherwise. */
export function decidedFirst(
  decisions: readonly Decided[],
  { kind, revision, requestedAt }: SeenGate,
): Decided | undefined {
  return decisions.findLast(
    ({ on, revision: decidedOn, at }) =>
      on === kind && decidedOn === revision && Date.parse(at) >= Date.parse(requestedAt),
  );
}

type Known = Pick<Milestones, 'decisions' | 'notes' | 'remarks'>;

/** The decisions, notes and answered remarks of a feed. The same object until one is new, however many other events there are. */
export function createMilestoneFold(): (state: FeedState) => Known {
  let history = 0;
  let taken = 0;
  let folded = NO_MILESTONES;
  let known: Known = NO_MILESTONES;
  return (state) => {
    if (state.history !== history) {
      history = state.history;
      taken = 0;
      folded = NO_MILESTONES;
    }
    if (taken < state.count) folded = foldMilestones(folded, state.events.slice(taken, state.count));
    taken = state.count;
    // Half a history has a last decision that is not the last one.
    const isCurrent = state.phase !== 'loading';
    const isNew = (['decisions', 'notes', 'remarks'] as const).some((part) => folded[part] !== known[part]);
    if (isCurrent && isNew) known = folded;
    return known;
  };
}
