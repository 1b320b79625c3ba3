import { reviewSchema } from '@sluice/core';
import { listFiles } from '../tool/list-files.ts';
import { readFile } from '../tool/read-file.ts';
import { searchCode } from '../tool/search-code.ts';
import { structuredAnswer } from './answer.ts';
import { fence } from './fence.ts';
import { issueSections, planSection } from './issue-sections.ts';
import type { RoleDefinition } from './role-definition.ts';

export const reviewer: RoleDefinition<'reviewer'> = {
  role: 'reviewer',
  promptFile: new URL('./reviewer.md', import.meta.url),
  tools: [listFiles, searchCode, readFile],
  maxTurns: 30,
  answer: structuredAnswer('review', reviewSchema),
  query: () => null,
  request: ({ issue, plan, diff, tests }) =>
    [
      ...issueSections(issue),
      planSection(plan),
      fence('changed_files', diff.files.map((file) => file.path).join('\n')),
      fence('diff', diff.diff),
      ...(tests === null
        ? []
        : [
            fence(
              'tests',
              `${tests.command}: ${tests.verdict}, exit code ${tests.exit_code ?? 'none'}\n${tests.new_failures.join('\n')}`,
            ),
          ]),
      'Review the change.',
    ].join('\n\n'),
};
