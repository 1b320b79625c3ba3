import { AppError } from '@sluice/core/error';
import type { DetectedCommands, WorkspaceFiles } from '@sluice/core/workspace';
import { detectCommands } from '../detect-commands.ts';
import { type DetectionFixture, detectionFixtures } from './detection-fixtures.ts';

interface DetectionResult {
  readonly fixture: DetectionFixture;
  readonly found: DetectedCommands;
  readonly isRight: boolean;
}

/** Detects the commands of every fixture and compares them with what its maintainer expects. */
export async function detectionResults(): Promise<DetectionResult[]> {
  return Promise.all(
    detectionFixtures.map(async (fixture) => {
      const found = await detectCommands(filesOf(fixture.files));
      return { fixture, found, isRight: holds(found.test, fixture.test) && holds(found.setup, fixture.setup) };
    }),
  );
}

function holds(command: string | null, wanted: readonly string[] | null): boolean {
  if (wanted === null || command === null) return wanted === command;
  return wanted.every((part) => command.includes(part));
}

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
