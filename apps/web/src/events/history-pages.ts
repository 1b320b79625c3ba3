import type { CallOptions, IssueEvent, SluiceClient } from '@sluice/client';

const PAGE = 1_000;

interface HistoryPart {
  readonly id: string;
  /** The number of the event after which it begins. */
  readonly after?: number;
}

/** The stored events of an issue, page by page, oldest first. */
export async function* historyPages(
  client: Pick<SluiceClient, 'issues'>,
  { id, after = 0 }: HistoryPart,
  options: CallOptions = {},
): AsyncGenerator<readonly IssueEvent[]> {
  for (let from: number | null = after; from !== null; ) {
    const page: { items: unknown; next_after: number | null } = await client.issues.history.query(
      { id, after: from, limit: PAGE },
      options,
    );
    // The document of the API calls the data of an event a record; the types of the stream say which.
    yield page.items as readonly IssueEvent[];
    from = page.next_after;
  }
}
