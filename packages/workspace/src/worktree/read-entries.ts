import { AppError } from '@sluice/core/error';
import { byteSize } from '../git/byte-size.ts';
import type { Git, GitCall } from '../git/git.ts';

/** The longest list of a working tree's files that is read. */
export const LISTING_BYTES = 256 * 1024 ** 2;
/** The system takes paths of 4 096 bytes; what else stands in an entry is short. */
const MAX_ENTRY_BYTES = 8_192;

/**
 * Reads what git lists with `-z`, some entries at a time, so that a long list holds up nothing else in this process.
 * A reader that stops early ends git. Latin-1 keeps each byte of an entry: `bytesOf` gives them back.
 *
 * @throws AppError `repo_too_large` for a list of more than `maxOutputBytes` (default `LISTING_BYTES`), and as `Git.run`
 */
export async function* readEntries(
  git: Git,
  args: readonly string[],
  call: GitCall,
): AsyncGenerator<readonly string[], void> {
  const limit = call.maxOutputBytes ?? LISTING_BYTES;
  const stream = git.stream(args, call);
  let listed = 0;
  let rest = '';
  try {
    for await (const chunk of stream.stdout as AsyncIterable<Buffer>) {
      listed += chunk.length;
      if (listed > limit) throw tooLarge(`Its paths take more than ${byteSize(limit)} in all.`);
      const entries = (rest + chunk.toString('latin1')).split('\0');
      rest = entries.pop() ?? '';
      if (rest.length > MAX_ENTRY_BYTES) throw tooLarge(`It has a path of more than ${MAX_ENTRY_BYTES} bytes.`);
      yield entries;
    }
    await stream.done;
  } finally {
    stream.stop();
  }
}

function tooLarge(why: string): AppError {
  return new AppError('repo_too_large', { detail: `The repository's list of files is too long to be read. ${why}` });
}
