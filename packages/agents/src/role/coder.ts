import { deleteFile } from '../tool/delete-file.ts';
import { editFile } from '../tool/edit-file.ts';
import { listFiles } from '../tool/list-files.ts';
import { readFile } from '../tool/read-file.ts';
import { runCommand } from '../tool/run-command.ts';
import { searchCode } from '../tool/search-code.ts';
import { writeFile } from '../tool/write-file.ts';
import { coderAnswer } from './coder-answer.ts';
import { fence } from './fence.ts';
import { issueSections, planSection, repoSections } from './issue-sections.ts';
import type { RoleDefinition } from './role-definition.ts';

export const coder: RoleDefinition<'coder'> = {
  role: 'coder',
  promptFile: new URL('./coder.md', import.meta.url),
  tools: [listFiles, searchCode, readFile, editFile, writeFile, deleteFile, runCommand],
  maxTurns: 100,
  answer: coderAnswer,
  query: () => null,
  request: ({ issue, repo, plan, feedback }) =>
    [
      ...repoSections(repo),
      ...issueSections(issue),
      planSection(plan),
      ...(feedback === null ? [] : [fence('feedback', feedback)]),
      feedback === null
        ? 'Carry out the plan.'
        : 'Your change has come back, for the reason in the feedback. It is still in the working tree: mend it.',
    ].join('\n\n'),
};
