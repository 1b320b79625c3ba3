import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { asUser, fetchOf, type Remote } from './remote.ts';

const MAX_BYTES = 10 * 1024 ** 2; // the server's limit, so that no larger file is read first

/** The media type of a file by its name. What has none of these names is taken for a text: the server refuses what is none. */
const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.csv': 'text/csv',
  '.json': 'application/json',
};

/**
 * Uploads files for an issue, one after the other.
 *
 * @returns their ids
 * @throws CommandError for a file that cannot be read or is too large, and for one that the server refuses
 */
export async function uploadAttachments({ url }: Pick<Remote, 'url'>, files: readonly string[]): Promise<string[]> {
  const contents = [];
  for (const file of files) contents.push(await contentOf(file));
  const send = fetchOf(url);
  const ids: string[] = [];
  for (const [at, file] of files.entries()) {
    const body = JSON.stringify({
      name: basename(file),
      media_type: types[extname(file).toLowerCase()] ?? 'text/plain',
      data: contents[at]?.toString('base64'),
    });
    const headers = { 'content-type': 'application/json' };
    ids.push(
      await asUser({ url }, async () =>
        idIn(file, await send(new URL(`${url}/api/attachments`), { method: 'POST', headers, body })),
      ),
    );
  }
  return ids;
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_BYTES) return await readFile(file);
  } catch (cause) {
    throw new CommandError(exitCode.usage, `--attach ${plainLine(file)}: the file cannot be read.`, { cause });
  }
  throw new CommandError(exitCode.usage, `--attach ${plainLine(file)}: the file has more than 10 MiB.`);
}

async function idIn(file: string, response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => null);
  const { id, detail } = (answer ?? {}) as { readonly id?: unknown; readonly detail?: unknown };
  if (response.ok && typeof id === 'string') return id;
  const why = typeof detail === 'string' ? plainLine(detail) : `the server answered ${response.status}.`;
  throw new CommandError(exitCode.unexpected, `--attach ${plainLine(file)}: ${why}`);
}
