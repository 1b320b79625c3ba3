import { triageSchema } from '@sluice/core/pipeline';
import { structuredAnswer } from './answer.ts';
import { contextSection, issueQuery, issueSections, repoSections } from './request-sections.ts';
import type { RoleDefinition } from './role-definition.ts';

const QUERY_CHARACTERS = 2_000; // more words only blur the ranking
const MAX_HITS = 4; // enough to see what the issue is about; the planner searches thoroughly

export const triager: RoleDefinition<'triager'> = {
  role: 'triager',
  promptFile: new URL('./triager.md', import.meta.url),
  tools: [], // one search by the service is cheaper than turns
  maxTurns: 8, // without tools, one answer and its corrections, over all attempts of the stage
  answer: structuredAnswer({ name: 'triage', schema: triageSchema }),
  query: ({ issue }) => issueQuery(issue).slice(0, QUERY_CHARACTERS),
  request: ({ issue, repo }, { hits }) =>
    [
      ...repoSections(repo),
      ...issueSections(issue),
      contextSection(hits.slice(0, MAX_HITS)),
      'Triage this issue.',
    ].join('\n\n'),
};
