import type { SluiceClient } from '@sluice/client';
import { renderDiff } from '../render/render-diff.ts';
import { renderIssue } from '../render/render-issues.ts';
import type { Output } from '../terminal/output.ts';
import { plainText } from '../terminal/plain-text.ts';

interface ShownIssue {
  readonly client: Pick<SluiceClient, 'issues'>;
  readonly output: Output;
  readonly id: string;
}

/** Prints an issue with its plan and its result. */
export async function printIssue({ client, output, id }: ShownIssue): Promise<void> {
  const issue = await client.issues.get.query({ id });
  const width = process.stdout.columns || Number.POSITIVE_INFINITY;
  output.data(issue, (style) => renderIssue(issue, style, width));
}

/** Prints the change so far. */
export async function printDiff({ client, output, id }: ShownIssue): Promise<void> {
  const change = await client.issues.diff.query({ id });
  // A program gets the patch byte for byte; on a terminal, control characters must not take effect.
  if (!output.json && process.stdout.isTTY !== true) process.stdout.write(change.diff);
  else output.data(change, (style) => renderDiff(change.diff, style, Number.POSITIVE_INFINITY));
}

/** Prints the whole output of the commands that ran. */
export async function printLog({ client, output, id }: ShownIssue): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof client.issues.log.query>> = await client.issues.log.query({ id, after });
    for (const part of page.items) {
      if (output.json) output.data(part, () => '');
      else process.stdout.write(plainText(part.text));
    }
    after = page.next_after;
  }
}
