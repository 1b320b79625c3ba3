import { AppError } from '@sluice/core/error';
import type { WorkspaceFiles } from '@sluice/core/workspace';

/** A working tree in memory that detection can read. The text `unreadable` stands for a file that cannot be read. */
export function filesOf(content: Readonly<Record<string, string | object>>): WorkspaceFiles {
  return {
    list: async () => Object.keys(content).sort(),
    ignored: async () => [],
    storedInLfs: async () => [],
    async read(path) {
      const found = content[path];
      if (found === undefined || found === 'unreadable') throw new AppError('tool_refused', { detail: 'no' });
      return typeof found === 'string' ? found : JSON.stringify(found);
    },
    write: () => Promise.reject(new Error('detection writes nothing')),
    remove: () => Promise.reject(new Error('detection removes nothing')),
    grep: () => Promise.reject(new Error('detection searches nothing')),
  };
}
