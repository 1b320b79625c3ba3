import * as z from 'zod';
import { shortened, visibleLine } from '../text/visible-text.ts';
import type { BuildVerdict } from './build-verdict.ts';
import type { BuildCheck } from './hosted-build.ts';

const buildNewsVerdicts = ['pending', 'success', 'failure', 'cancelled'] as const;

const names = (meaning: string) => z.array(z.string()).describe(meaning);

/** The news that is stored and sent about the build of one commit. */
export const buildNewsSchema = z.object({
  commit: z.string().describe('The commit that was built: the head of the pull request at that time.'),
  verdict: z
    .enum(buildNewsVerdicts)
    .describe('The verdict of all checks that count: the required ones, or all where none is required.'),
  failed: names('The checks that count and failed. Empty while others are pending. Text by others.'),
  also_failing_at_base: names('The names among them that fail at the base branch too: those are not fixed here.'),
  optional_failed: names('The checks that failed and do not count.'),
  url: z.string().describe('The page of the first failed check, or of the pull request.'),
  given_up: z
    .literal(true)
    .optional()
    .describe('The pull request has had as many follow-ups of its build as are allowed: a person has to look.'),
});
export type BuildNews = z.infer<typeof buildNewsSchema>;

const MAX_NAMES = 50; // people read no more, and the event is kept
const NAME_CHARACTERS = 200;

/**
 * The news of a verdict; null where nothing is reported, and where the verdict is not about this commit.
 *
 * @param failingAtBase names of checks
 * @param url the page of the pull request
 */
export function buildNews(
  verdict: BuildVerdict,
  of: { readonly commit: string; readonly failingAtBase: ReadonlySet<string>; readonly url: string },
): BuildNews | null {
  const { state } = verdict;
  if (state === 'none' || state === 'stale') return null;
  const failed = state === 'failure' ? verdict.failed : [];
  const optional = state === 'pending' ? [] : verdict.optionalFailed;
  return {
    commit: of.commit,
    verdict: state,
    failed: namesOf(failed),
    also_failing_at_base: namesOf(failed.filter(({ name }) => of.failingAtBase.has(name))),
    optional_failed: namesOf(optional),
    url: [...failed, ...optional].find(({ url }) => url !== null)?.url ?? of.url,
  };
}

/** The names in an order that does not depend on the host's. */
function namesOf(checks: readonly BuildCheck[]): string[] {
  const all = checks.map(({ name }) => shortened(visibleLine(name), NAME_CHARACTERS));
  return [...new Set(all)].sort().slice(0, MAX_NAMES);
}
