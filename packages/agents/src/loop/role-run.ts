import type { AgentContext, AgentInput, AgentRole } from '@sluice/core';
import type { RoleDefinition } from '../roles/role-definition.ts';
import type { ConversationRecord } from './conversation-record.ts';
import type { TurnRequest } from './turn-request.ts';

/** All that one run of a role needs besides its context. */
export interface RoleRun<Role extends AgentRole>
  extends Pick<TurnRequest, 'choices' | 'away' | 'timeouts' | 'maxRetries'> {
  readonly definition: RoleDefinition<Role>;
  readonly instructions: string;
  readonly input: AgentInput[Role];
}

/** A run under way. */
export interface RoleWork<Role extends AgentRole> {
  readonly run: RoleRun<Role>;
  readonly context: AgentContext;
  readonly record: ConversationRecord;
}
