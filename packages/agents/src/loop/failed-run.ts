import { NO_OUTPUT, runCommand } from '../tools/run-command.ts';
import { toldLines, withoutNoise } from './told-lines.ts';
import { type CallWithResult, hasFailed, resultText } from './transcript.ts';

/** The outcome of a failed run of tests, or of another check. */
export interface FailedRun {
  /** The tests that fail, by name; where the output names none, their counts, or else the command. */
  readonly tests: readonly string[];
  /** Equal for runs with the same output, apart from what differs from run to run by itself. */
  readonly message: string;
}

const named: readonly RegExp[] = [
  /^not ok \d* ?-? ?(?!.*# (?:TODO|SKIP))(.+)/i, // TAP
  /^(?:✖|✗|✘|×|●) (.+)/, // the reporters of Node, Vitest and Jest
  /^(?:--- )?FAIL(?:ED|URE)?\b:? +(\S.*?)(?: - .*)?$/, // Go, pytest, Jest, unittest
  /^(\S.*?)(?: \.{3}| >)? (?:FAILED|ERROR)$/, // cargo, Gradle, unittest
  /^rspec (\S+)/,
  /^(?:\d+\) )(\S.*)/, // Mocha, RSpec, PHPUnit
];

/** In a pipe or a list, the last command decides how it all ends. */
const hiding = /[|;]/;

/** Lines that no run without a failure has. */
const certain = /^(?:not ok \d|--- FAIL: )/m;

const counted =
  /(?<![\d.])[1-9]\d* (?:tests? |examples? |specs? )?fail(?:ed|ing|ures?)?\b|\bfail(?:ed|ures)?[:=]? *[1-9]\d*/gi;

/** Programs that end with a failure where they find nothing, or a difference. */
const looks = /^\s*(?:\[|(?:git|e?grep|rg|test|diff|cmp|ls|find|which|command)\b)/;

/**
 * Reads a call as a run that failed: the command did, or hid that its tests did, as `npm test | tail` does.
 *
 * @returns null for anything else
 */
export function failedRun(made: CallWithResult): FailedRun | null {
  const { call, result } = made;
  if (call.toolName !== runCommand.name || result.output.type !== 'text') return null;
  const command = commandOf(made);
  const isRed = hasFailed(result);
  if (isRed ? isSilent(made) && looks.test(command) : !hiding.test(command)) return null;
  const text = withoutNoise(toldLines(made).join('\n'));
  const counts = [...text.matchAll(counted)].map(([count]) => count.toLowerCase());
  if (!isRed && counts.length === 0 && !certain.test(text)) return null;
  const lines = text.split('\n').map((line) => line.trim());
  const tests = new Set(lines.flatMap(namedIn));
  const known = tests.size > 0 ? tests : new Set(counts);
  return {
    tests: known.size > 0 ? [...known].sort() : [`unnamed: ${command}`],
    message: [...new Set(lines)].sort().join('\n'),
  };
}

function namedIn(line: string): string[] {
  return named.flatMap((form) => form.exec(line)?.[1]?.trim() ?? []).slice(0, 1);
}

function isSilent({ result }: CallWithResult): boolean {
  return resultText(result).includes(`\n${NO_OUTPUT}`);
}

/** The command of a call; empty for any other call. */
export function commandOf({ call }: Pick<CallWithResult, 'call'>): string {
  const { input } = call;
  if (call.toolName !== runCommand.name || typeof input !== 'object' || input === null) return '';
  return 'command' in input && typeof input.command === 'string' ? input.command : '';
}
