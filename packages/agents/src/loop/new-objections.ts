import type { AgentOutput, AgentRole } from '@sluice/core/agent';
import { isRetry, type RoleExecution } from './role-execution.ts';
import { answeredCalls, inThisRound } from './transcript.ts';

/** What an answer lacks and the agent has not been told in this round, whether it answers by the tool or in text. */
export async function newObjections<Role extends AgentRole>(
  { setup, context, record }: RoleExecution<Role>,
  output: AgentOutput[Role],
): Promise<string[]> {
  const { definition, input } = setup;
  const transcript = inThisRound(record.now().transcript);
  const calls = answeredCalls(transcript);
  const hasChange = async () => (await context.workspace.diff(context.signal)).files.length > 0;
  const { files } = context.workspace;
  const objections =
    (await definition.objections?.(output, { input, calls, hasChange, files, isRetry: isRetry(context) })) ?? [];
  const corrections = [
    ...calls.flatMap(({ tool, text }) => (tool === definition.answer.tool?.name ? [text] : [])),
    ...transcript.flatMap(({ kind, message }) =>
      kind === 'correction' && typeof message.content === 'string' ? [message.content] : [],
    ),
  ];
  return objections
    .filter(({ opening, rest, times = 1 }) => {
      const before = corrections.filter((text) => text.includes(opening));
      return before.length < times && !before.some((text) => text.includes(`${opening}${rest}`));
    })
    .map(({ opening, rest }) => `${opening}${rest}`);
}
