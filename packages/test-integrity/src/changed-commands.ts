import type { ChangedFile, Finding } from '@sluice/core/change';
import { type CheckCommand, checkCommands, OPTIONS } from './check-commands.ts';
import { commandDifference, type Difference, holds, partnerOf, programOf } from './command-difference.ts';
import { isCheckConfiguration } from './is-check-configuration.ts';
import { shareIn } from './tokens.ts';

/** Commands that test or check the repository and prove less than before. */
export function changedCommands(files: readonly ChangedFile[]): Finding[] {
  return files
    .filter(
      ({ path }) => isCheckConfiguration(path) && !/(?:^|\/)(?:examples?|demos?|docs|website|playground)\//.test(path),
    )
    .flatMap((file) => changesIn(file).map((change) => ({ ...change, path: file.path })));
}

type Change = Omit<Finding, 'path'>;

function changesIn(file: ChangedFile): Change[] {
  const now = checkCommands(file.path, file.after);
  const old = withoutOptions(checkCommands(file.path, file.before), now);
  if (old[0]?.name === 'step' || now[0]?.name === 'step') return [...stepChanges(old, now), ...leniency(file)];
  return old.flatMap((command): Change[] => {
    const next = now.find(({ name }) => name === command.name);
    if (next !== undefined) {
      const [was, is] = [reachedCommands(command, old), reachedCommands(next, now)];
      const found =
        commandDifference({ ...command, parts: was }, { ...next, parts: is }) ?? lostWords(command, was, is);
      if (found === null) return [];
      return [{ kind: found.kind, line: next.line, detail: `The command \`${command.name}\` ${found.how}.` }];
    }
    const isMoved = now.some(({ parts }) => command.parts.every((part) => parts.some((other) => holds(other, part))));
    if (!command.isTest || isMoved || isOptions(command)) return [];
    return [{ kind: 'test_command_changed', line: null, detail: `The command \`${command.name}\` is gone.` }];
  });
}

/** Options that are new stand beside a command that had none. */
function withoutOptions(old: readonly CheckCommand[], now: readonly CheckCommand[]): readonly CheckCommand[] {
  const fresh = now.filter((command) => isOptions(command) && !old.some(({ name }) => name === command.name));
  return [...old, ...fresh.map((command) => ({ ...command, parts: [programOf(command.parts[0] ?? '')] }))];
}

const isOptions = ({ name }: CheckCommand) => Object.values<string>(OPTIONS).includes(name);

/** What a test command ran before, and no longer does. */
function lostWords({ isTest }: CheckCommand, was: readonly string[], is: readonly string[]): Difference | null {
  const lost = was.find((part) => !is.some((other) => holds(other, part)));
  if (!isTest || lost === undefined) return null;
  const [old, now] = [was, is].map((parts) => parts.join(' && ').slice(0, 200));
  return { kind: 'test_command_changed', how: `was \`${old}\` and is \`${now}\`` };
}

/** Steps have no names: the commands of a workflow are compared as a set. */
function stepChanges(old: readonly CheckCommand[], now: readonly CheckCommand[]): Change[] {
  const had = old.flatMap(({ parts }) => parts);
  const has = now.flatMap(({ parts }) => parts);
  const gone = had.filter((part) => !has.includes(part) && !BUILDS_ONLY.test(part));
  const reported = new Set<string>();
  const found = now.flatMap(({ parts: [part = ''], line }): Change[] => {
    const base = had.includes(part) ? undefined : partnerOf(part, gone);
    if (base === undefined || shareOfWords(base, part) < MIN_SHARED) return [];
    const change = commandDifference({ isTest: true, parts: [base] }, { isTest: true, parts: [part] });
    if (change === null) return [];
    reported.add(base);
    return [{ kind: change.kind, line, detail: `A step ${change.how}.` }];
  });
  const lost = gone.filter((part) => !reported.has(part) && !has.some((other) => holds(other, part)));
  return [
    ...found,
    ...lost.map(
      (part): Change => ({ kind: 'test_command_changed', line: null, detail: `The step \`${part}\` is gone.` }),
    ),
  ];
}

/** Words of a test command by which it runs no test. */
const BUILDS_ONLY = /-DskipTests\b|-Dmaven\.test\.skip\b|--no-run\b|-x\s+test\b/;
const MIN_SHARED = 0.6; // a step that shares fewer words is another one

function shareOfWords(old: string, now: string): number {
  return shareIn(new Set(old.split(' ')), new Set(now.split(' ')));
}

/** Steps that may fail, and jobs that never run. */
function leniency({ before, after }: ChangedFile): Change[] {
  if (before === null || after === null) return [];
  const isMore = (pattern: RegExp) => (after.match(pattern)?.length ?? 0) > (before.match(pattern)?.length ?? 0);
  const details = [
    ...(isMore(/continue-on-error:\s*true|allow_failure:\s*true/gi) ? ['A step may fail now without any effect.'] : []),
    ...(isMore(/^[ \t]*if:[ \t]*(?:\$\{\{\s*)?false\b/gim) ? ['A step or a job never runs now.'] : []),
  ];
  return details.map((detail) => ({ kind: 'test_command_changed', line: null, detail }));
}

const MAX_DEPTH = 5; // commands that run commands

/**
 * The commands that a command runs, with those of the same file that it calls: `npm run test:unit && npm run test:api`,
 * and the targets that a target of make depends on. An unknown command keeps its name, and so does a linter: it is
 * judged by itself.
 */
function reachedCommands(command: CheckCommand, all: readonly CheckCommand[]): readonly string[] {
  const byName = new Map(all.filter(({ isTest }) => isTest).map((one) => [one.name, one]));
  const reach = (parts: readonly string[], depth: number): readonly string[] =>
    parts.flatMap((part) => {
      const called = depth === 0 ? undefined : byName.get(part);
      return called === undefined ? [part] : reach(calledBy(called), depth - 1);
    });
  return [...new Set(reach(calledBy(command), MAX_DEPTH))];
}

/** What a command runs, in its own words. */
function calledBy({ first = [], parts }: CheckCommand): readonly string[] {
  return [...first, ...parts];
}
