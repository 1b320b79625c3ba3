import type { AgentInput, AgentRole } from '@sluice/core';
import type { RoleDefinition } from '../role/role-definition.ts';
import type { ModelChoice } from './model-choice.ts';

/** All that one run of a role needs besides its context. */
export interface RoleRun<Role extends AgentRole> {
  readonly definition: RoleDefinition<Role>;
  readonly instructions: string;
  readonly choice: ModelChoice;
  readonly turnTimeoutMs: number;
  readonly input: AgentInput[Role];
}
