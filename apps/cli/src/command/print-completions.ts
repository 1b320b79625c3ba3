import { createSluiceClient } from '@sluice/client';
import { fileCookies } from '@sluice/client/file-cookies';
import type { Command } from 'commander';
import { shortId } from '../render/short-id.ts';
import { chosenServer, sessionFile } from '../session/known-servers.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { type CompletionSource, completeValue } from './complete-value.ts';

const TIMEOUT_MS = 2_000; // a user waits for it at each press of Tab
const MAX_OFFERED = 50;

/** Prints what the last word can be, one a line with a tab before its meaning. Where that fails, it prints nothing. */
export async function printCompletions(program: Command, words: readonly string[]): Promise<void> {
  try {
    const candidates = await completeValue(program, words, await serverSource());
    const lines = candidates.map(({ value, about }) => (about === undefined ? value : `${value}\t${plainLine(about)}`));
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  } catch {
    // An error would be printed into the line that the user is typing.
  }
}

const noSource: CompletionSource = {
  issues: async () => [],
  repos: async () => [],
  sessions: async () => [],
  targets: async () => [],
};

async function serverSource(): Promise<CompletionSource> {
  const url = await chosenServer(undefined);
  if (url === null) return noSource;
  const client = createSluiceClient({ url, cookies: fileCookies(sessionFile(url)), timeoutMs: TIMEOUT_MS });
  const limit = MAX_OFFERED;
  return {
    async issues(status) {
      const chosen = status === null ? {} : { status: [...status] };
      const list = await client.issues.list.query({ limit, fields: 'summary', ...chosen });
      return list.items.map(({ id, title }) => ({ value: shortId(id), about: title }));
    },
    async repos() {
      const list = await client.repos.list.query({ limit });
      return list.items.map(({ name, url: about }) => ({ value: name, about }));
    },
    async sessions() {
      const list = await client.auth.sessions.list.query({ limit });
      return list.items.map(({ id, client: about }) => ({ value: shortId(id), about: about ?? 'unknown' }));
    },
    async targets() {
      const list = await client.notifications.list.query();
      return list.items.map(({ id, description, url }) => ({
        value: shortId(id),
        about: description ?? url ?? 'e-mail',
      }));
    },
  };
}
