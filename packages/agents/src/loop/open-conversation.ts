import type { AgentRole } from '@sluice/core';
import { readAdvice } from '../roles/advice.ts';
import { plainJson } from './plain-json.ts';
import type { RoleWork } from './role-run.ts';

const CONTEXT_HITS = 12;

/**
 * Writes down what the agent begins with: its instructions, the request, and which places it was shown. So a run goes
 * on with the words that it began with, whatever has changed since.
 */
export async function openConversation<Role extends AgentRole>({
  run,
  context,
  record,
}: RoleWork<Role>): Promise<void> {
  const { definition, instructions, input } = run;
  const query = definition.query(input);
  const hits = query === null ? [] : await context.search(query, CONTEXT_HITS);
  const advice = definition.takesAdvice ? await readAdvice(context.workspace.files) : [];
  const paths = [...new Set(hits.map(({ path }) => path))];
  await record.write({
    entries: [
      ...(query === null ? [] : [{ kind: 'retrieved', paths } as const]),
      { kind: 'message', message: plainJson({ role: 'system', content: instructions }) },
      { kind: 'message', message: plainJson({ role: 'user', content: definition.request(input, { hits, advice }) }) },
    ],
    events: [],
  });
}
