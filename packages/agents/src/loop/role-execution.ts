import type { AgentContext, AgentInput, AgentRole } from '@sluice/core/agent';
import type { AdviceSource } from '../advice/open-advice.ts';
import type { FallbackRequest } from '../models/model-fallback.ts';
import type { RoleDefinition } from '../roles/role-definition.ts';
import type { ConversationRecord } from './conversation.ts';

/** The role to run, its input and its models. */
export interface RoleSetup<Role extends AgentRole>
  extends Pick<FallbackRequest, 'choices' | 'cooldown' | 'timeouts' | 'maxRetries'> {
  readonly definition: RoleDefinition<Role>;
  readonly instructions: string;
  readonly input: AgentInput[Role];
}

/** A role under way. */
export interface RoleExecution<Role extends AgentRole> {
  readonly setup: RoleSetup<Role>;
  readonly context: AgentContext;
  readonly record: ConversationRecord;
  readonly advice: AdviceSource;
}

/** Whether an attempt before this one ended: its work is still in the tree. */
export function isRetry({ journal }: Pick<AgentContext, 'journal'>): boolean {
  return journal.lastAttempt != null;
}
