import type { Prepared } from '@sluice/core/pipeline';
import type { ProjectFacts, Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../../stage/stage-context.ts';
import { renderEnvironment, type SetupOutcome } from './render-environment.ts';

export type EnvironmentPorts = 'commands' | 'sandbox' | 'log';

/** The timeout for all programs together. A program that waits for a network has no version. */
const VERSIONS_TIMEOUT_MS = 20_000;
const SECONDS_PER_PROGRAM = 5;

/**
 * Measures once, before a plan is made, what every agent of the issue would otherwise find out by trying: commands, versions,
 * limits, and what lies in the root. The text is stored, so that all requests of the issue show the same words.
 */
export async function measureEnvironment(
  stage: StageContext<EnvironmentPorts>,
  workspace: Workspace,
  found: Pick<Prepared, 'setup_source'> & { readonly setup: SetupOutcome | null },
): Promise<string> {
  const { deps, options } = stage;
  const facts = await deps.commands.facts(workspace);
  return renderEnvironment({
    ...found,
    facts,
    absent: await workspace.absent(stage.signal),
    versions: await versionsOf(stage, workspace, facts),
    folder: deps.sandbox.kind === 'bwrap' ? '/workspace' : null,
    limits: options.sandboxLimits.agent,
  });
}

/**
 * The versions that the programs print, in their order; null for a program that is not there. Left out when the sandbox
 * does not answer.
 */
async function versionsOf(
  stage: StageContext<EnvironmentPorts>,
  workspace: Workspace,
  { programs }: ProjectFacts,
): Promise<ReadonlyMap<string, string | null>> {
  const versions = new Map<string, string | null>();
  if (programs.length === 0) return versions;
  const { deps, options, signal } = stage;
  try {
    const { output } = await deps.sandbox.run({
      command: `${ASK}${programs.map((program) => `ask ${program.join(' ')}`).join('; ')}`,
      root: workspace.root,
      gitDir: workspace.gitDir,
      allowHosts: [],
      owner: stage.repo.userId,
      limits: { ...options.sandboxLimits.agent, timeoutMs: VERSIONS_TIMEOUT_MS },
      signal,
    });
    for (const line of output.split('\n')) {
      const [, name, version] = /^([\w.-]+)\t(.*)$/.exec(line) ?? [];
      if (name !== undefined) versions.set(name, version === undefined || version === '' ? null : version);
    }
  } catch (error) {
    signal.throwIfAborted();
    // The versions only save the agents a question. What is wrong with the sandbox, the next command reports.
    deps.log.warn({ err: error, issueId: workspace.issueId }, 'could not ask for the versions of programs');
  }
  return versions;
}

/** A line with the name and the first line of the answer, which is empty for a program that is not there. */
const ASK = `ask() { printf '%s\\t' "$1"; if command -v "$1" >/dev/null 2>&1; then timeout ${SECONDS_PER_PROGRAM} "$@" 2>&1 | head -n 1; else echo; fi; }; `;
