import type { SluiceClient } from '@sluice/client';
import type { IssueWire } from '@sluice/core';
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
type ShownIssue = Shown & { readonly id: string };

/** Prints an issue with its result, its plan and what a person decides by. */
export async function printIssue({ client, output, id }: ShownIssue): Promise<void> {
  const issue = await client.issues.get.query({ id });
  const names = await namesFor({ client, output }, issue);
  const repo = names.get(issue.repo_id) ?? null;
  await output.longData(issue, (style, { width }) => renderIssue(issue, repo, { style, width, now: new Date() }));
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
export async function printDiff({ client, output, id }: ShownIssue): Promise<void> {
  const change = await client.issues.diff.query({ id });
  // A program gets the patch byte for byte; on a terminal, control characters must not take effect.
  if (!output.json && process.stdout.isTTY !== true) process.stdout.write(change.diff);
  else await output.longData(change, (style) => renderDiff(change.diff, style, Number.POSITIVE_INFINITY));
}

/** Prints the whole output of the commands that ran. */
export async function printLog({ client, output, id }: ShownIssue): Promise<void> {
  const paged = openPagedText();
  let isRead = true;
  for (let after: number | null = 0; after !== null && isRead; ) {
    const page: Awaited<ReturnType<typeof client.issues.log.query>> = await client.issues.log.query({ id, after });
    for (const part of page.items) {
      if (output.json) output.data(part, () => '');
      else isRead = await paged.write(plainText(part.text));
    }
    after = page.next_after;
  }
  await paged.end();
}
