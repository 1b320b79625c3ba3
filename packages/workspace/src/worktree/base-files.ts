import { type BaseFile, type BaseFiles, isLfsPointer } from '@sluice/core/workspace';
import { type BlobPlace, readBlobs } from './read-blobs.ts';
import { entriesIn, isFile } from './tree-entries.ts';
import { bytesOf } from './tree-place.ts';
import { MAX_TEXT_BYTES, textIn } from './workspace-files.ts';

const LINK = '120000';
const MAX_FOUND = 10_000; // of wanted files, those that lie least deep; a repository has some hundred
const MAX_LINKS = 1_000;
const MAX_LINKED_FOLDERS = 10;

/** The files of one commit, read as objects: neither the working tree nor its index is looked at. */
export function openBaseFiles(place: BlobPlace, commit: string): BaseFiles {
  return {
    async find(isWanted, signal) {
      const { files, links } = await wantedIn(place, { tree: commit, isWanted }, signal);
      const linked = await followLinks(place, { commit, paths: leastDeep(links, MAX_LINKS) }, signal);
      const folders = linked.filter(({ type }) => type === 'tree').slice(0, MAX_LINKED_FOLDERS);
      for (const { path: folder, id } of folders) {
        const below = (path: string) => `${folder}/${path}`;
        const within = await wantedIn(place, { tree: id, isWanted: (path) => isWanted(below(path)) }, signal);
        for (const file of within.files) files.push({ path: below(file.path), id: file.id });
      }
      for (const { type, path, id } of linked) if (type === 'blob') files.push({ path, id });
      return leastDeep(files, MAX_FOUND).sort((one, other) => (one.path < other.path ? -1 : 1));
    },
    async read(files, signal) {
      const ids = await smallBlobs(place, [...new Set(files.map(({ id }) => id))], signal);
      const texts = new Map<string, string>();
      for await (const { blob, content } of readBlobs(place, ids, signal)) {
        const text = isLfsPointer(content) ? null : textIn(content);
        if (text !== null) texts.set(blob, text);
      }
      return texts;
    },
  };
}

/** The wanted files and links of a tree or commit. A path that is no text, or that a line cannot hold, is none. */
async function wantedIn(
  place: BlobPlace,
  { tree, isWanted }: { readonly tree: string; readonly isWanted: (path: string) => boolean },
  signal: AbortSignal,
): Promise<{ readonly files: BaseFile[]; readonly links: BaseFile[] }> {
  const files: BaseFile[] = [];
  const links: BaseFile[] = [];
  for await (const entries of entriesIn(place, tree, signal)) {
    for (const { mode, id, path: raw } of entries) {
      if (!isFile(mode) && mode !== LINK) continue;
      const path = bytesOf(raw).toString();
      if (/[\p{Cc}\ufffd]/u.test(path) || !isWanted(path)) continue;
      (mode === LINK ? links : files).push({ path, id });
    }
  }
  return { files, links };
}

function leastDeep(files: readonly BaseFile[], limit: number): BaseFile[] {
  if (files.length <= limit) return [...files];
  const depthOf = ({ path }: BaseFile) => path.split('/').length;
  return files.toSorted((one, other) => depthOf(one) - depthOf(other)).slice(0, limit);
}

/**
 * What links lead to, as git follows them inside their commit. Of one that leads out, round in circles or nowhere git
 * says so, and it is left out.
 */
async function followLinks(
  { git, gitDir }: BlobPlace,
  { commit, paths }: { readonly commit: string; readonly paths: readonly BaseFile[] },
  signal: AbortSignal,
): Promise<(BaseFile & { readonly type: string })[]> {
  if (paths.length === 0) return [];
  const input = paths.map(({ path }) => `${commit}:${path}\n`).join('');
  const answer = await git.run(['cat-file', '--batch-check', '--follow-symlinks'], { at: { gitDir }, input, signal });
  let rest = answer.stdout.toString('latin1');
  return paths.flatMap(({ path }) => {
    const line = rest.slice(0, rest.indexOf('\n'));
    const [, id, type, refusedBytes] = /^(?:([0-9a-f]{40,64}) (blob|tree) \d+|\w+ (\d+))$/.exec(line) ?? [];
    // The line of a link that is not followed has its target below it, of so many bytes.
    const below = refusedBytes === undefined ? 0 : Number(refusedBytes) + 1;
    rest = rest.slice(line.length + 1 + below);
    return id === undefined || type === undefined ? [] : [{ path, id, type }];
  });
}

/** The blobs that are small enough to be read as text. */
async function smallBlobs(
  { git, gitDir }: BlobPlace,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}\n`).join('');
  const { stdout } = await git.run(['cat-file', '--batch-check'], { at: { gitDir }, input, signal });
  return stdout
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [id = '', type, bytes] = line.split(' ');
      return type === 'blob' && Number(bytes) <= MAX_TEXT_BYTES ? [id] : [];
    });
}
