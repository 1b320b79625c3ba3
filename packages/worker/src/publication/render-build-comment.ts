import type { BuildNews } from '@sluice/core/code-host';
import { buildMarker } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import { neutralCode } from '@sluice/core/text';
import { pageOfIssue } from './render-change-request.ts';

const NAME = 200;
const SHORT_COMMIT = 12;

/**
 * The one comment on a pull request about its build, for what nobody else is told: that a failure is not fixed because the base
 * has it too, or because Sluice gave up. Null where there is nothing of that kind to say. Once there is such a comment, it also
 * says that the build has passed since.
 */
export function renderBuildComment(
  news: BuildNews,
  of: {
    readonly first: Pick<Issue, 'id'>;
    readonly baseBranch: string;
    readonly rounds: number;
    readonly publicUrl: URL;
    /** Whether the pull request has the comment. */
    readonly isThere: boolean;
  },
): string | null {
  const { also_failing_at_base: atBase, failed, given_up } = news;
  const ours = failed.filter((name) => !atBase.includes(name));
  const parts = [
    ...(given_up === true ? [gaveUp(news, ours, of.rounds)] : []),
    ...(atBase.length === 0
      ? []
      : [
          `The base branch ${neutralCode(of.baseBranch, NAME)} fails in the same way, so this is not fixed here:${list(atBase)}`,
        ]),
    ...(of.isThere && news.verdict === 'success'
      ? [`The build has passed at ${news.commit.slice(0, SHORT_COMMIT)}.`]
      : []),
  ];
  if (parts.length === 0) return null;
  return [
    buildMarker(of.first.id),
    ...parts,
    `[View this issue in Sluice](${pageOfIssue(of.first.id, of.publicUrl)})`,
    '',
  ].join('\n\n');
}

function gaveUp({ commit }: BuildNews, ours: readonly string[], rounds: number): string {
  const times = rounds === 1 ? 'one follow-up' : `${rounds} follow-ups`;
  return `The build still fails at ${commit.slice(0, SHORT_COMMIT)} after ${times}, and Sluice does not try again. A person has to look at:${list(ours)}`;
}

function list(names: readonly string[]): string {
  return `\n\n${names.map((name) => `- ${neutralCode(name, NAME)}`).join('\n')}`;
}
