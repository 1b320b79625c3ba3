import { open, readFile, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type AuditHead, type AuditHeadKeeper, auditHead } from '@sluice/core/audit';
import { syncFolder } from '../process/sync-folder.ts';

/** The name of the file in the data folder. */
export const AUDIT_HEAD_FILE = 'audit-head.json';

/** Keeps the head of the audit log in `DATA_DIR/audit-head.json`. It is replaced as a whole, and never by an older one. */
export function auditHeadFile(dataDir: string): AuditHeadKeeper {
  const path = join(dataDir, AUDIT_HEAD_FILE);
  return {
    read: () => readAuditHead(path),
    async write(head) {
      const kept = await readAuditHead(path).catch(() => null);
      if (kept !== null && kept.number >= head.number) return;
      // Processes of several machines may share the folder.
      const temporary = `${path}.${hostname()}-${process.pid}.new`;
      const file = await open(temporary, 'w', 0o600);
      try {
        await file.writeFile(`${JSON.stringify(head, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
      syncFolder(dirname(path));
    },
  };
}

/**
 * Reads the head of the audit log from a file.
 *
 * @returns null where there is no such file. @throws Error when it holds no head
 */
export async function readAuditHead(path: string): Promise<AuditHead | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const head = auditHead.safeParse(parsed(text));
  if (!head.success) throw new Error(`${path} holds no head of an audit log`);
  return head.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
