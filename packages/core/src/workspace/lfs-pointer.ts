/** A pointer is smaller than 1 KiB, by the specification of Git LFS. */
export const MAX_LFS_POINTER_BYTES = 1_023;

/** The version that tools write, and the one of pre-releases, which they read. */
const VERSIONS: ReadonlySet<string> = new Set([
  'https://git-lfs.github.com/spec/v1',
  'https://hawser.github.com/spec/v1',
]);
const OID = /^sha256:[0-9a-f]{64}$/;
const SIZE = /^[1-9]\d{0,18}$/;
const EXTENSION = /^ext-\d-[a-z0-9.-]+$/;

/**
 * Whether these bytes may be committed at a path that Git LFS stores: a pointer in its one valid form, or nothing, because an
 * empty file is its own pointer. Another form of a pointer, such as one with CRLF or of size 0, is none: every checkout would
 * show the file as modified.
 */
export function isLfsPointer(content: Uint8Array): boolean {
  if (content.length === 0) return true;
  if (content.length > MAX_LFS_POINTER_BYTES) return false;
  const lines = Buffer.from(content).toString('latin1').split('\n');
  if (lines.pop() !== '') return false; // each line ends in a line feed
  const [version, ...rest] = lines.map((line) => /^([a-z0-9.-]+) (\S+)$/.exec(line)?.slice(1) ?? []);
  if (version?.[0] !== 'version' || !VERSIONS.has(version[1] ?? '')) return false;
  const keys = rest.map(([key = '']) => key);
  const isSorted = keys.every((key, at) => at === 0 || key > (keys[at - 1] ?? ''));
  return (
    isSorted && keys.slice(-2).join() === 'oid,size' && rest.every(([key = '', value = '']) => isKnown(key, value))
  );
}

function isKnown(key: string, value: string): boolean {
  if (key === 'size') return SIZE.test(value);
  return (key === 'oid' || EXTENSION.test(key)) && OID.test(value);
}
