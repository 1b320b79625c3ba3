import { createHash } from 'node:crypto';
import type { AgentRole } from '@sluice/core/agent';
import * as z from 'zod';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { Answer } from './answer.ts';

/** The texts of a role that are the same for every model. */
export interface PromptedRole {
  readonly role: AgentRole;
  readonly instructions: string;
  readonly tools: readonly Pick<AgentTool, 'name' | 'description' | 'input'>[];
  readonly answer: Pick<Answer<never>, 'tool'>;
}

const CHARACTERS = 12; // 48 bits: an installation sees a few hundred revisions in its life

/**
 * Names the words of all roles: their instructions and their tools, with the schemas. Two releases with the same words have
 * the same revision, in whatever order they list them.
 *
 * @returns 12 hexadecimal digits
 */
export function promptRevision(roles: readonly PromptedRole[]): string {
  const lines = roles.flatMap(({ role, instructions, tools, answer }) => [
    JSON.stringify([role, instructions]),
    ...[...tools, ...(answer.tool === null ? [] : [answer.tool])].map(({ name, description, input }) =>
      JSON.stringify([role, name, description, z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })]),
    ),
  ]);
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, CHARACTERS);
}
