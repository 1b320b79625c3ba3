import type { Finding } from '@sluice/core/change';
import { commandArguments, lostExitCodes } from './command-arguments.ts';
import { shareIn } from './tokens.ts';

/** What makes a command end well whatever it finds. */
const HARMLESS =
  /\|\|\s*(?:true\b|:|exit 0|echo\b)|^(?:true|:|exit 0|echo\b.*)$|--pass-?with-?no-?tests\b|--no-run\b|--collect-only\b|--dry-run\b|--exit-zero\b|--suppress-?failures\b|^-\s*\w|^set \+e$|-DskipTests\b|-Dmaven\.test\.skip|--no-fail\b|--list-?tests?\b/gi;
/** What makes it run some tests only. */
const FILTER =
  /(?:^|\s)(?:-k|-t|-g|-m|-run|-skip|--skip|--f?grep|--testNamePattern|--testPathPatterns?|--test-name-pattern|--test-skip-pattern|--test-only|--filter|--deselect|--only|--only-?[cC]hanged|--only-?[fF]ailures|--changed(?:-?[sS]ince)?|--affected|--last-?[cC]ommit|--last-failed|--lf|--related|--findRelatedTests|--shard|--invert|--example|--tag|--tests|-Dtest=\S+|-test\.run)(?=[\s='"]|$)|^cargo\b.*\s(?:-p|--package|--lib|--bins|--doc)(?=[\s=]|$)|^go\b.*\s-short\b|\b(?:phpunit|pest)\b.*\s--(?:group|exclude-group|testsuite)\b|^mvnw?\b.*\s(?:-pl|--projects)\b|\b(?:vitest|jest|playwright)\b.*\s--(?:project|selectProjects)\b/g;
const EXCLUSION =
  /(?:^|\s)(?:--ignore(?:-glob)?|--exclude(?:-dir)?|--testPathIgnorePatterns|--exclude-task|-x(?=\s+\S*(?:[tT]est|check)))(?=[\s='"]|$)/g;

export interface Compared {
  readonly parts: readonly string[];
  /** It runs tests: not only a linter or a type checker. */
  readonly isTest: boolean;
}

export interface Difference {
  readonly kind: Finding['kind'];
  /** The difference in words: the end of a sentence about the command. */
  readonly how: string;
}

/** How a command proves less than before; null where it does not. */
export function commandDifference(old: Compared, now: Compared): Difference | null {
  const shown = now.parts.join(' && ').slice(0, 200);
  const isMore = (pattern: RegExp) => matches(now.parts, pattern) > matches(old.parts, pattern);
  const loses = now.parts.some((part) => losesExitCode(part, old.parts));
  if (isMore(HARMLESS) || loses) return { kind: 'test_command_changed', how: `can no longer fail: \`${shown}\`` };
  if (isMore(FILTER)) return { kind: 'test_focused', how: `runs some tests only: \`${shown}\`` };
  if (isMore(EXCLUSION)) return { kind: 'test_config_changed', how: `leaves some tests out: \`${shown}\`` };
  if (!old.isTest) return null;
  const named = now.parts.flatMap((part) => newArguments(part, old.parts));
  if (named.length > 0)
    return { kind: 'test_focused', how: `is given \`${named[0]}\`, and may run less: \`${shown}\`` };
  return null;
}

function matches(parts: readonly string[], pattern: RegExp): number {
  return parts.reduce((sum, part) => sum + (part.match(pattern)?.length ?? 0), 0);
}

/** Whether a command has all the words of another: more options, and no fewer. */
export function holds(command: string, other: string): boolean {
  const words = new Set(command.split(' ').map(withoutNumber));
  return other.split(' ').every((word) => words.has(withoutNumber(word)));
}

/** A number is a limit or a time, which is judged by itself. */
function withoutNumber(word: string): string {
  return word.replace(/(?<=^|=)\d[\d.]*[smh]?$/, '');
}

/** The earlier form of a command: one whose words it has, or the most similar one of the same program. */
export function partnerOf(part: string, old: readonly string[]): string | undefined {
  const holding = old.find((other) => holds(part, other));
  if (holding !== undefined) return holding;
  const words = new Set(part.split(' '));
  const same = old.filter((other) => programOf(other) === programOf(part));
  const likeness = (other: string) => shareIn(new Set(other.split(' ')), words);
  return same.sort((a, b) => likeness(b) - likeness(a))[0];
}

export const programOf = (command: string) => command.split(' ', 1)[0] ?? '';

function losesExitCode(part: string, old: readonly string[]): boolean {
  const count = lostExitCodes(part);
  if (count === 0 || old.includes(part)) return false;
  const partner = partnerOf(part.replace(/^!\s*/, ''), old);
  return partner !== undefined && count > lostExitCodes(partner);
}

/** Words without a dash that are new, where a command named nothing before: another file to one that names files is more. */
function newArguments(part: string, old: readonly string[]): readonly string[] {
  if (old.includes(part)) return [];
  const partner = partnerOf(part, old);
  if (partner === undefined || commandArguments(partner).length > 0) return [];
  return commandArguments(part).filter((word) => !partner.split(' ').includes(word));
}
