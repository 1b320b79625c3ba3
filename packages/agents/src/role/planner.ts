import { planDraftSchema } from '@sluice/core';
import { listFiles } from '../tool/list-files.ts';
import { readFile } from '../tool/read-file.ts';
import { searchCode } from '../tool/search-code.ts';
import { structuredAnswer } from './answer.ts';
import { fence } from './fence.ts';
import { contextSection, issueSections, list, planSection, repoSections } from './issue-sections.ts';
import type { RoleDefinition } from './role-definition.ts';

const QUERY_CHARACTERS = 2_000; // beyond it more words only blur the ranking

export const planner: RoleDefinition<'planner'> = {
  role: 'planner',
  promptFile: new URL('./planner.md', import.meta.url),
  tools: [listFiles, searchCode, readFile],
  maxTurns: 40,
  answer: structuredAnswer('plan', planDraftSchema),
  query: ({ issue, guidance }) => [guidance ?? '', issue.title, issue.body].join('\n').slice(0, QUERY_CHARACTERS),
  request({ issue, repo, triage, lastPlan, guidance }, hits) {
    return [
      ...repoSections(repo),
      ...issueSections(issue),
      ...(triage === null
        ? []
        : [
            fence(
              'triage',
              `${triage.kind}, risk ${triage.risk}: ${triage.summary}\n${list([...triage.acceptance_criteria, ...triage.open_questions])}`,
            ),
          ]),
      contextSection(hits),
      ...(lastPlan === null ? [] : [planSection(lastPlan)]),
      ...(guidance === null ? [] : [fence('guidance', guidance)]),
      guidance === null
        ? 'Write the plan.'
        : 'A person has read the last plan and gives guidance. Write the plan anew, and say in its summary what changed.',
    ].join('\n\n');
  },
};
