import type { AgentInput, AgentOutput, AgentRole, CodeHit } from '@sluice/core';
import type { AgentTool } from '../tool/agent-tool.ts';
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
  /** Words to search the code for before the first turn, or null. */
  query(input: AgentInput[Role]): string | null;
  /** The first message. Everything untrusted in it is fenced. */
  request(input: AgentInput[Role], hits: readonly CodeHit[]): string;
}
