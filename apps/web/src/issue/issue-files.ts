import { client } from '../session/client.ts';

/** The files that an issue can be taken away as. */
export const issueFiles = {
  patch: { label: 'Download the patch', ending: 'patch', read: readPatch },
  log: { label: 'Download the log', ending: 'log', read: readLog },
  history: { label: 'Download the history', ending: 'json', read: readHistory },
} as const;

export type IssueFile = keyof typeof issueFiles;

async function readPatch(id: string): Promise<readonly string[]> {
  return [(await client.issues.diff.query({ id })).diff];
}

async function readLog(id: string): Promise<readonly string[]> {
  const parts: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: LogPage = await client.issues.log.query({ id, after });
    parts.push(...page.items.map(({ text }) => text));
    after = page.next_after;
  }
  return parts;
}

const PAGE = 1_000;

/** One JSON array, an event a line. */
async function readHistory(id: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: HistoryPage = await client.issues.history.query({ id, after, limit: PAGE });
    lines.push(...page.items.map((event) => JSON.stringify(event)));
    after = page.next_after;
  }
  return ['[\n', lines.join(',\n'), '\n]\n'];
}

type LogPage = Awaited<ReturnType<typeof client.issues.log.query>>;
type HistoryPage = Awaited<ReturnType<typeof client.issues.history.query>>;
