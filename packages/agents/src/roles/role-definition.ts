import type { AgentInput, AgentOutput, AgentRole, CodeHit } from '@sluice/core';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { Advice } from './advice.ts';
import type { Answer } from './answer.ts';

/** A role as data. The one loop runs it; a role knows no database, no queue and no other role. */
export interface RoleDefinition<Role extends AgentRole> {
  readonly role: Role;
  /** Its instructions: a Markdown file beside the definition. */
  readonly promptFile: URL;
  /** All that it can do. What is not here does not exist for the model. */
  readonly tools: readonly AgentTool[];
  /** Model calls in one run, over all restarts. */
  readonly maxTurns: number;
  readonly answer: Answer<AgentOutput[Role]>;
  /** Whether it is given the repository's own advice to those who work on it. */
  readonly takesAdvice: boolean;
  /** Words to search the code for before the first turn, or null. */
  query(input: AgentInput[Role]): string | null;
  /** The first message. Everything untrusted in it is fenced. */
  request(input: AgentInput[Role], found: Found): string;
  /** Files that it may write without giving a reason; absent: all. */
  scope?(input: AgentInput[Role]): readonly string[];
  /**
   * Its answer as it counts: with what the service knows for itself, whatever the model says. Called before the answer
   * is written down, and told of only afterwards.
   */
  finish?(output: AgentOutput[Role], work: FinishedWork<Role>): AgentOutput[Role];
}

/** What the service has looked up for a role before its first turn. */
export interface Found {
  /** Places in the code, best first. */
  readonly hits: readonly CodeHit[];
  readonly advice: readonly Advice[];
}

interface FinishedWork<Role extends AgentRole> {
  readonly input: AgentInput[Role];
  /** All calls of the run that have a result, restarts included, in order. */
  readonly calls: readonly AnsweredCall[];
}

export interface AnsweredCall {
  readonly tool: string;
  /** As the model gave it, unchecked. */
  readonly input: unknown;
  /** `refused`: nothing was done. `unknown`: the process died in the middle of it. */
  readonly outcome: 'done' | 'refused' | 'unknown';
}
