import type { BuildNews } from '@sluice/core/code-host';
import { hasMarker } from '@sluice/core/code-host';
import type { IssueId } from '@sluice/core/id';
import { expect, it } from 'vitest';
import { renderBuildComment } from './render-build-comment.ts';

const news: BuildNews = {
  ...{ commit: 'c0ffee0123456789', verdict: 'failure', failed: ['lint', 'unit'], also_failing_at_base: [] },
  ...{ optional_failed: [], url: 'https://host.test/run/1' },
};
const of = {
  ...{ first: { id: 'i' as IssueId }, baseBranch: 'main', rounds: 2, publicUrl: new URL('https://sluice.test/') },
  isThere: false,
};

it('says what is not fixed, and why', () => {
  expect(renderBuildComment(news, of)).toBeNull();
  const both = renderBuildComment({ ...news, also_failing_at_base: ['lint'], given_up: true }, of);
  expect(both).toBe(
    `<!-- sluice:build/i -->

The build still fails at c0ffee012345 after 2 follow-ups, and Sluice does not try again. A person has to look at:

- \`unit\`

The base branch \`main\` fails in the same way, so this is not fixed here:

- \`lint\`

[View this issue in Sluice](https://sluice.test/issues/i)

`,
  );
  expect(hasMarker(both ?? '')).toBe(true);
});

it('says that a build has passed, and only where it said something before', () => {
  const passed: BuildNews = { ...news, verdict: 'success', failed: [] };
  expect(renderBuildComment(passed, of)).toBeNull();
  expect(renderBuildComment(passed, { ...of, isThere: true })).toContain('The build has passed at c0ffee012345.');
  expect(renderBuildComment({ ...passed, verdict: 'pending' }, { ...of, isThere: true })).toBeNull();
});

it('lets a name mention nobody and link to nothing', () => {
  const text = renderBuildComment({ ...news, also_failing_at_base: ['`@ada` <!-- sluice:x --> #1'] }, of);
  expect(text).toContain('- `` `@ada` <! -- sluice:x --> #1 ``');
});
