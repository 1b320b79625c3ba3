import { readFileSync, statSync } from 'node:fs';

/**
 * The content of a small file of the system, parsed again only when the file has changed. A file that is absent or
 * cannot be read counts as empty. Synchronous, because an asynchronous read would wait for a thread of libuv, and other
 * look-ups hold those.
 */
export function watchFile<T>(path: string, parse: (text: string) => T): () => T {
  let known: { readonly stamp: string; readonly value: T } | null = null;
  return () => {
    const stamp = stampOf(path);
    if (known?.stamp !== stamp) known = { stamp, value: parse(stamp === '' ? '' : textOf(path)) };
    return known.value;
  };
}

/** Changes with the file; empty where there is none. A file that was replaced within one moment has another number. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, size, dev, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${dev} ${ino}`;
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
