/*
 * A file's name is bytes, and not all of them are UTF-8. Decoded and encoded again such a name leads nowhere, and what
 * stands there is overlooked: a nested repository that was looked for under the decoded name was not found, and entered
 * by git. So what is looked up stays bytes; decoded names are for people.
 */

const SLASH = Buffer.from('/');

/** A path inside a folder. */
export function placeInTree(folder: string | Buffer, path: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, Buffer.from(path)]);
}

/** The entries of an output of git's with `-z`. Latin-1 keeps each byte: `bytesOf` gives them back. */
export function entriesOf(output: Buffer): string[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((entry) => entry !== '');
}

export function bytesOf(entry: string): Buffer {
  return Buffer.from(entry, 'latin1');
}
