import type { IssueEvent } from '@sluice/client';

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

export interface Milestones {
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
