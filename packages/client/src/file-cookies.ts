import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CookieStore, StoredCookie } from './cookie-store.ts';

interface CookieFile {
  readonly origin: string;
  readonly cookies: readonly StoredCookie[];
}

/**
 * Stores the cookies of one server in `file` (mode 0600; a new folder gets 0700). Several processes may share it: each
 * writes a whole file, and the last one wins. A file of another origin, or with other contents, counts as empty.
 */
export function fileCookies(file: string): CookieStore {
  return {
    async load(origin) {
      const contents = await read(file);
      return contents?.origin === origin ? contents.cookies : [];
    },
    async save(origin, cookies) {
      if (cookies.length === 0) {
        await rm(file, { force: true });
        return;
      }
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const contents: CookieFile = { origin, cookies };
      const temporary = `${file}.${randomUUID()}`;
      try {
        await writeFile(temporary, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
  };
}

async function read(file: string): Promise<CookieFile | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { origin, cookies } = JSON.parse(text) as Partial<CookieFile>;
    if (typeof origin !== 'string' || !Array.isArray(cookies)) return null;
    return { origin, cookies: cookies.filter(isCookie) };
  } catch {
    return null;
  }
}

function isCookie(value: unknown): value is StoredCookie {
  const { name, value: content, path, secure, expires_at } = (value ?? {}) as Partial<StoredCookie>;
  return (
    typeof name === 'string' &&
    typeof content === 'string' &&
    typeof path === 'string' &&
    typeof secure === 'boolean' &&
    (expires_at === null || typeof expires_at === 'string')
  );
}
