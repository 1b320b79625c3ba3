import { reviewSchema } from '@sluice/core';
import { enforceFindings } from '../review/enforce-findings.ts';
import { mechanicalFindings } from '../review/mechanical-findings.ts';
import { findCode } from '../tools/find-code.ts';
import { listFiles } from '../tools/list-files.ts';
import { outline } from '../tools/outline.ts';
import { readFile } from '../tools/read-file.ts';
import { searchText } from '../tools/search-text.ts';
import { structuredAnswer } from './answer.ts';
import { adviceSections, issueSections, planSection } from './request-sections.ts';
import { changeSections, findingSections, testsSection } from './review-sections.ts';
import type { RoleDefinition } from './role-definition.ts';

export const reviewer: RoleDefinition<'reviewer'> = {
  role: 'reviewer',
  promptFile: new URL('./reviewer.md', import.meta.url),
  tools: [listFiles, searchText, findCode, outline, readFile],
  maxTurns: 30,
  answer: structuredAnswer('review', reviewSchema),
  takesAdvice: true,
  query: () => null,
  request(input, { advice }) {
    const changed = new Set(input.diff.files.map(({ path }) => path));
    return [
      // A file that the change rewrites must not advise its own review.
      ...adviceSections(advice.filter(({ path }) => !changed.has(path))),
      ...issueSections(input.issue),
      planSection(input.plan),
      ...changeSections(input),
      ...(input.tests === null ? [] : [testsSection(input.tests)]),
      ...findingSections(mechanicalFindings(input)),
      'Review the change.',
    ].join('\n\n');
  },
  finish: (review, { input }) => enforceFindings(review, mechanicalFindings(input)),
};
