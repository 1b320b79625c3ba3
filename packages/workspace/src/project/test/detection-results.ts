import type { DetectedCommands } from '@sluice/core/workspace';
import { detectCommands } from '../detect-commands.ts';
import { type DetectionFixture, detectionFixtures } from './detection-fixtures.ts';
import { filesOf } from './files-of.ts';

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
