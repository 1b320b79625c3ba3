import { triageSchema } from '@sluice/core';
import { structuredAnswer } from './answer.ts';
import { issueSections, repoSections } from './issue-sections.ts';
import type { RoleDefinition } from './role-definition.ts';

export const triager: RoleDefinition<'triager'> = {
  role: 'triager',
  promptFile: new URL('./triager.md', import.meta.url),
  tools: [],
  maxTurns: 3, // one answer, one mended, and one for a retried stage
  answer: structuredAnswer('triage', triageSchema),
  query: () => null,
  request: ({ issue, repo }) => [...repoSections(repo), ...issueSections(issue), 'Triage this issue.'].join('\n\n'),
};
