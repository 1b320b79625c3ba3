import { historyPages } from '../events/history-pages.ts';
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

/** One JSON array, an event a line. */
async function readHistory(id: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const events of historyPages(client, { id })) lines.push(...events.map((event) => JSON.stringify(event)));
  return ['[\n', lines.join(',\n'), '\n]\n'];
}

type LogPage = Awaited<ReturnType<typeof client.issues.log.query>>;
