import type { ChangedFile } from './changed-file.ts';
import { type CheckCommand, checkCommands, OPTIONS } from './check-commands.ts';
import type { Finding } from './finding.ts';
import { isCheckConfiguration } from './is-check-configuration.ts';

/** What makes a command end well whatever it finds. */
const HARMLESS =
  /\|\|\s*(?:true\b|:|exit 0|echo\b)|^(?:true|:|exit 0|echo\b.*)$|--pass-?with-?no-?tests\b|--no-run\b|--collect-only\b|--dry-run\b|--exit-zero\b|--suppress-?failures\b|^-\s*\w|^set \+e$|-DskipTests\b|-Dmaven\.test\.skip|--no-fail\b|--list-?tests?\b/i;
/** What makes it run some tests only. */
const FILTER =
  /(?:^|\s)(?:-k|-t|-g|-m|-run|-skip|--skip|--f?grep|--testNamePattern|--test-name-pattern|--test-skip-pattern|--test-only|--filter|--deselect|--only|--invert|--example|--tag|--tests|-Dtest=\S+|-test\.run)(?=[\s='"]|$)/gi;
const EXCLUSION =
  /(?:^|\s)(?:--ignore(?:-glob)?|--exclude(?:-dir)?|--testPathIgnorePatterns|--exclude-task|-x)(?=[\s='"]|$)/gi;

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
      const found = changeOf(command, next);
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

const programOf = (command: string) => command.split(' ', 1)[0] ?? '';

/** Steps have no names: the commands of a workflow are compared as a set. */
function stepChanges(old: readonly CheckCommand[], now: readonly CheckCommand[]): Change[] {
  const had = old.flatMap(({ parts }) => parts);
  const has = now.flatMap(({ parts }) => parts);
  const found = now.flatMap(({ parts: [part = ''], line }): Change[] => {
    const base = had.find((other) => programOf(other) === programOf(part) && !has.includes(other));
    const change =
      had.includes(part) || base === undefined ? null : changeOf({ parts: [base], isTest: false }, { parts: [part] });
    return change === null ? [] : [{ kind: change.kind, line, detail: `A step ${change.how}.` }];
  });
  const isTold = (part: string) => found.length > 0 && has.some((other) => programOf(other) === programOf(part));
  const lost = had.filter((part) => !has.some((other) => holds(other, part)) && !isTold(part));
  return [
    ...found,
    ...lost.map(
      (part): Change => ({ kind: 'test_command_changed', line: null, detail: `The step \`${part}\` is gone.` }),
    ),
  ];
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

function changeOf(
  old: Pick<CheckCommand, 'parts' | 'isTest'>,
  now: Pick<CheckCommand, 'parts'>,
): { kind: Finding['kind']; how: string } | null {
  const isNew = (pattern: RegExp, count: (parts: readonly string[]) => number) =>
    count(now.parts) > count(old.parts) && now.parts.some((part) => part.search(pattern) !== -1);
  const matches = (pattern: RegExp) => (parts: readonly string[]) =>
    parts.reduce((sum, part) => sum + (part.match(new RegExp(pattern, 'gi'))?.length ?? 0), 0);
  const shown = now.parts.join(' && ').slice(0, 200);
  if (isNew(HARMLESS, matches(HARMLESS)))
    return { kind: 'test_command_changed', how: `can no longer fail: \`${shown}\`` };
  if (isNew(FILTER, matches(FILTER))) return { kind: 'test_focused', how: `runs some tests only: \`${shown}\`` };
  if (isNew(EXCLUSION, matches(EXCLUSION)))
    return { kind: 'test_config_changed', how: `leaves some tests out: \`${shown}\`` };
  const narrowed = now.parts.find((part) => old.parts.some((other) => cargoFilter(part) > cargoFilter(other)));
  if (narrowed !== undefined) return { kind: 'test_focused', how: `runs some tests only: \`${shown}\`` };
  const lost = old.parts.find((part) => !now.parts.some((other) => holds(other, part)));
  if (!old.isTest || lost === undefined) return null;
  return { kind: 'test_command_changed', how: `was \`${old.parts.join(' && ').slice(0, 200)}\` and is \`${shown}\`` };
}

/** Whether a command has all the words of another: more options, and no fewer. */
function holds(command: string, other: string): boolean {
  const words = new Set(command.split(' ').map(withoutNumber));
  return other.split(' ').every((word) => words.has(withoutNumber(word)));
}

/** A number is a limit or a time, which is judged by itself. */
function withoutNumber(word: string): string {
  return word.replace(/(?<=^|=)\d[\d.]*[smh]?$/, '');
}

/** How many names of tests `cargo test` is given. */
function cargoFilter(command: string): number {
  const own = /\bcargo (?:test|t|nextest run)\b(.*)$/.exec(command)?.[1]?.split(' -- ')[0] ?? '';
  return own
    .replaceAll(
      /\s-{1,2}(?:p|package|test|bin|example|features|F|exclude|target|profile|j|jobs|manifest-path)[ =]\S+/g,
      '',
    )
    .split(' ')
    .filter((word) => /^\w/.test(word)).length;
}
