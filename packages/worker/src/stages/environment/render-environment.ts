import type { CommandSource, Prepared, TestRun } from '@sluice/core/pipeline';
import { oneLine, shortened } from '@sluice/core/text';
import type { AbsentContent, ProjectFacts, SandboxLimits } from '@sluice/core/workspace';
import { hiddenFailures } from '../verdict/hidden-failures.ts';

/** How the setup command came out: null where there is none. */
export interface SetupOutcome {
  readonly command: string;
  readonly ran: boolean;
}

/** What the environment's text is made of. */
export interface MeasuredEnvironment {
  readonly setup: SetupOutcome | null;
  readonly setup_source: CommandSource | null;
  readonly facts: ProjectFacts;
  readonly absent: AbsentContent;
  /** The answers of programs that were asked; null for one that is not there. */
  readonly versions: ReadonlyMap<string, string | null>;
  /** Where commands run; null where the path must not be shown. */
  readonly folder: string | null;
  readonly limits: SandboxLimits;
}

/** All parts together stay below 4,600 characters, about 1,300 tokens, which every turn of every agent carries. */
const MAX_COMMAND = 300;
const MAX_VERSIONS = 500;
const MAX_PACKAGES = 800;
const MAX_PACKAGE_COUNT = 30;
const MAX_ABSENT = 200;
const MAX_ABSENT_COUNT = 20;
const MAX_TOP_LEVEL = 600;
const MAX_TOP_LEVEL_COUNT = 60;
const MAX_FAILING = 1_200;
const MAX_FAILING_COUNT = 20;
const MAX_NAME = 120;

/** The environment in words, without the tests: their command and the result at the base may be known later. */
export function renderEnvironment(measured: MeasuredEnvironment): string {
  const { setup, setup_source, facts, absent, versions, folder, limits } = measured;
  const present = [...versions].flatMap(([name, version]) => (version === null ? [] : [versionLine(name, version)]));
  const missing = [...versions].flatMap(([name, version]) => (version === null ? [name] : []));
  return [
    `Commands run in ${folder ?? 'the root of the repository'}, each in a new shell without network, for at most ${minutes(limits.timeoutMs)}, with ${mebibytes(limits.memoryBytes)} of memory, ${mebibytes(limits.diskBytes)} of new files, ${mebibytes(limits.outputBytes)} of output.`,
    setupLine(setup, setup_source),
    ...(present.length === 0 ? [] : [`Versions: ${joined(present, MAX_VERSIONS)}`]),
    ...(missing.length === 0 ? [] : [`Not installed: ${missing.join(', ')}`]),
    ...listed('Packages', facts.packages, { limit: MAX_PACKAGES, most: MAX_PACKAGE_COUNT }),
    ...absentLines(absent),
    ...listed('In the root', facts.topLevel, { limit: MAX_TOP_LEVEL, most: MAX_TOP_LEVEL_COUNT }),
  ].join('\n');
}

/** What agents would take for content, or miss. */
function absentLines({ usesLfs, lfsFiles, submodules }: AbsentContent): string[] {
  const bounds = { limit: MAX_ABSENT, most: MAX_ABSENT_COUNT };
  return [
    ...(usesLfs
      ? ['Git LFS stores files here (filter=lfs in .gitattributes). Only pointers can be committed at their paths.']
      : []),
    ...listed('Pointers of Git LFS, without the content', lfsFiles.first, { ...bounds, total: lfsFiles.count }),
    ...listed('Submodules, not fetched', submodules.first, { ...bounds, total: submodules.count }),
  ];
}

/**
 * The environment as an agent is shown it: what was measured, the test command, and the tests at the base.
 *
 * @returns null where an older release prepared the issue
 */
export function environmentOf(prepared: Prepared | null): string | null {
  if (prepared?.environment == null) return null;
  const { environment, test_command, test_source, base_test } = prepared;
  if (test_command === null) return `${environment}\nTest command: none is known.`;
  return `${environment}\nTest command${ofSource(test_source)}: ${code(test_command)}\n${baseLine(base_test)}`;
}

function baseLine(base: TestRun | null): string {
  const where = 'Tests at the base, before any change';
  if (base === null) return `${where}: not run yet.`;
  const took = `${Math.max(1, Math.round(base.duration_ms / 1_000))} s`;
  if (base.exit_code === 0) return `${where}: all pass (${took}).`;
  const code = base.exit_code === null ? 'ended by a limit' : `exit code ${base.exit_code}`;
  if (base.failing.length === 0) return `${where}: they fail (${code}, ${took}); which of them is not known.`;
  const named = base.failing.slice(0, MAX_FAILING_COUNT).map((name) => shortened(oneLine(name), MAX_NAME));
  const names = joined(named, MAX_FAILING, base.failing.length);
  const hidden = hiddenFailures(base);
  const more = hidden === null ? '' : `. ${shortened(oneLine(hidden), MAX_NAME)} No change passes until that is fixed.`;
  return `${where}: ${base.failing.length} fail (${code}, ${took}): ${names}${more}`;
}

function setupLine(setup: SetupOutcome | null, source: CommandSource | null): string {
  if (setup === null) return 'No setup command is known, so nothing was installed.';
  if (!setup.ran)
    return `Setup command (detected): ${code(setup.command)} did not run, because it needs the network. Nothing was installed.`;
  return `Setup command${ofSource(source)}: ${code(setup.command)} ran.`;
}

function ofSource(source: CommandSource | null): string {
  if (source === null) return '';
  return source === 'settings' ? ' (set by the owner)' : ' (detected)';
}

/** The program's own answer, with its name where that does not say it. */
function versionLine(name: string, version: string): string {
  const shown = shortened(oneLine(version), MAX_NAME);
  return shown.toLowerCase().startsWith(name.replace(/\d$/, '')) ? shown : `${name} ${shown}`;
}

function code(command: string): string {
  return `\`${shortened(oneLine(command), MAX_COMMAND)}\``;
}

/** A line with the first of many, or none where there are none. */
function listed(
  name: string,
  items: readonly string[],
  { limit, most, total = items.length }: { limit: number; most: number; total?: number },
): string[] {
  if (items.length === 0) return [];
  return [`${name}: ${joined(items.slice(0, most), limit, total)}`];
}

/** The items that fit into `limit` characters, and how many are left out. */
function joined(items: readonly string[], limit: number, total = items.length): string {
  let text = '';
  let count = 0;
  for (const item of items.map(oneLine)) {
    const next = count === 0 ? item : `${text}, ${item}`;
    if (next.length > limit) break;
    text = next;
    count += 1;
  }
  return count < total ? `${text}${count === 0 ? '' : ' '}and ${total - count} more` : text;
}

function minutes(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}

function mebibytes(bytes: number): string {
  const size = bytes / 2 ** 20;
  return size >= 1_024 ? `${Math.round((size / 1_024) * 10) / 10} GiB` : `${Math.round(size * 10) / 10} MiB`;
}
