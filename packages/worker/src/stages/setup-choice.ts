import type { Repo } from '@sluice/core/repo';
import type { DetectedCommands } from '@sluice/core/workspace';

/** The setup command of a repository. */
export interface SetupChoice {
  /** The command that runs; null: none. */
  readonly run: string | null;
  /** A detected command that does not run, because it needs the network, which is off; null: none. */
  readonly skipped: string | null;
}

/** A command that the owner configured always runs. A detected one only runs with network access, without which it would fail. */
export function setupChoice(repo: Repo, detected: DetectedCommands): SetupChoice {
  const own = repo.setupCommand;
  if (own !== null) return { run: commandOrNull(own), skipped: null };
  const found = commandOrNull(detected.setup);
  if (found === null || repo.settings.setup_network) return { run: found, skipped: null };
  return { run: null, skipped: found };
}

/** An empty command means none. */
export function commandOrNull(command: string | null): string | null {
  return command === null || command.trim() === '' ? null : command;
}

/** The advice about a setup command that did not run. Names the option of the command and the setting of the API. */
export function renderSkipped(skipped: string): string {
  return `The dependencies were not installed: \`${skipped}\` needs the network, which is off. Allow it with \`--setup-network\` (\`settings.setup_network\`), or name another command with \`--setup\` (\`setup_command\`).`;
}
