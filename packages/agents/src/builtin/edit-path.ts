/** A path as edits may name it: relative to the repository's root, with `/`. */
export type EditPath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };

/**
 * Checks a path by its letters, before anything is planned with it. The workspace checks again on the disk: this is
 * for the person at the gate, who should see a refusal there and not after the approval.
 */
export function editPath(raw: string): EditPath {
  const refused = (why: string): EditPath => ({ ok: false, reason: `the path "${raw}" ${why}` });
  if (raw.trim() === '') return refused('is empty');
  if (/[\u0000-\u001f\u007f]/.test(raw)) return refused('holds control characters');
  if (raw.includes('\\')) return refused('holds a backslash: write it with /');
  if (raw.startsWith('/') || raw.startsWith('~') || /^[a-z]:/i.test(raw)) {
    return refused('is absolute: name the file relative to the root of the repository');
  }
  const segments = raw
    .split('/')
    .filter((segment, index, all) => segment !== '.' && !(segment === '' && index < all.length - 1));
  if (segments.includes('..')) return refused('leads out of the repository');
  if (segments.some(isGitFolder)) return refused('lies in .git');
  if (segments.length === 0 || segments.at(-1) === '') return refused('names no file');
  return { ok: true, path: segments.join('/') };
}

/** `.git` under the names that case-blind or Windows file systems know it by. */
function isGitFolder(segment: string): boolean {
  return /^(?:\.git|git~1)[ .]*$/i.test(segment.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''));
}
