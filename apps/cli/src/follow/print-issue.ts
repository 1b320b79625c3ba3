import type { SluiceClient } from '@sluice/client';
import type { IssueWire } from '@sluice/core/issue';
import { renderDiff } from '../render/render-diff.ts';
import { renderIssue, renderIssues } from '../render/render-issues.ts';
import { repoNames } from '../session/repo-names.ts';
import type { Output } from '../terminal/output.ts';
import { openPagedText } from '../terminal/paged-text.ts';
import { plainText } from '../terminal/plain-text.ts';

interface Shown {
  readonly client: Pick<SluiceClient, 'issues' | 'repos'>;
  readonly output: Output;
}
interface ShownIssue extends Shown {
  readonly id: string;
  /** Called when everything is read, and before a pager shows it: the user may take their time. */
  readonly onRead?: () => Promise<void>;
}

/** Prints an issue with its result, its plan and what a person decides by. */
export async function printIssue({ client, output, id, onRead }: ShownIssue): Promise<void> {
  const issue = await client.issues.get.query({ id });
  const outcome = output.json || issue.change_request_state === null ? null : await outcomeOf(client, id);
  const names = await namesFor({ client, output }, issue);
  await onRead?.();
  const { build = null, close = null } = outcome ?? {};
  const about = { repoName: names.get(issue.repo_id) ?? null, build, close };
  await output.longData(issue, (style, { width }) => renderIssue(issue, about, { style, width, now: new Date() }));
}

/** What became of its pull request. A server of an earlier release has no such call, and the rest is shown. */
async function outcomeOf(client: Shown['client'], id: string) {
  const { outcome } = await client.issues.outcome.query({ id }).catch(() => ({ outcome: null }));
  return outcome;
}

/** Prints an issue as a line of a list. */
export async function printIssueLine(shown: Shown, issue: IssueWire): Promise<void> {
  const names = await namesFor(shown, issue);
  shown.output.data(issue, (style, page) => renderIssues([issue], names, { style, page }));
}

async function namesFor({ client, output }: Shown, issue: IssueWire): Promise<ReadonlyMap<string, string>> {
  return output.json ? new Map() : await repoNames(client, [issue.repo_id]);
}

/** Prints the change so far. */
export async function printDiff({ client, output, id, onRead }: ShownIssue): Promise<void> {
  const change = await client.issues.diff.query({ id });
  await onRead?.();
  // A program gets the patch byte for byte; on a terminal, control characters must not take effect.
  if (!output.json && process.stdout.isTTY !== true) process.stdout.write(change.diff);
  else await output.longData(change, (style) => renderDiff(change.diff, style, Number.POSITIVE_INFINITY));
}

/** Prints the whole output of the commands that ran. */
export async function printLog({ client, output, id, onRead }: ShownIssue): Promise<void> {
  const parts = logParts(client, id);
  const all = onRead === undefined ? parts : await Array.fromAsync(parts);
  await onRead?.();
  const paged = openPagedText();
  for await (const part of all) {
    if (output.json) output.data(part, () => '');
    else if (!(await paged.write(plainText(part.text)))) break;
  }
  await paged.end();
}

async function* logParts(client: ShownIssue['client'], id: string): AsyncGenerator<LogPart> {
  for (let after: number | null = 0; after !== null; ) {
    const page: LogPage = await client.issues.log.query({ id, after });
    yield* page.items;
    after = page.next_after;
  }
}

type LogPage = Awaited<ReturnType<SluiceClient['issues']['log']['query']>>;
type LogPart = LogPage['items'][number];
