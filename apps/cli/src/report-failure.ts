import { CommanderError } from 'commander';
import { wrapAdvice } from './render/wrap-advice.ts';
import { editDistance } from './terminal/edit-distance.ts';
import { CommandError, type ExitCode, exitCode } from './terminal/exit-code.ts';
import { isPromptExit } from './terminal/interruptible.ts';
import { safeJson } from './terminal/output.ts';
import { plainText } from './terminal/plain-text.ts';

/** The output of a failed command. */
interface Failure {
  readonly code: ExitCode;
  readonly message: string;
  /** The server's error body, when it refused the call. */
  readonly body?: Readonly<Record<string, unknown>>;
}

// Recognized by name: importing the server for its classes would take longer than everything else here.
const operatorErrors: Readonly<Record<string, ExitCode>> = {
  ConfigError: exitCode.usage,
  StartError: exitCode.unexpected,
};

// What a disk and its permissions answer. Other codes, such as ENOENT, would be faults of this program.
const DISK = /^(EACCES|EDQUOT|EEXIST|EIO|EISDIR|ELOOP|ENOSPC|ENOTDIR|EPERM|EROFS)$/;

/**
 * Prints why a command failed, and returns its exit code. An expected failure is one sentence, an unexpected one its
 * stack. With `--json` both are one JSON object on stderr.
 */
export async function reportFailure(error: unknown, args: readonly string[]): Promise<ExitCode> {
  // Commander has printed the message, or the help, by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  return printFailure(await failureOf(error), args);
}

/** Prints a usage error that the parser has found. */
export function reportUsageError(message: string, args: readonly string[], command: string): void {
  const sentence = plainText(
    withNearSuggestion(message)
      .trim()
      .replace(/^error: /, ''),
  ).replaceAll(/\s*\n\s*/g, ' ');
  printFailure({ code: exitCode.usage, message: `${sentence} (see ${command} --help)` }, args);
}

const SUGGESTION = /'-*([^']*)'(\s*\(Did you mean (?:one of )?-*([^ ,?]+).*\))/;

/** The parser also suggests words that have half of the letters in common: `logout` for `bogus`. */
function withNearSuggestion(message: string): string {
  const [, word = '', suggestion = '', meant = ''] = SUGGESTION.exec(message) ?? [];
  const isNear = editDistance(word, meant) <= Math.max(word.length, meant.length) / 3;
  return isNear ? message : message.replace(suggestion, '');
}

async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CommandError) return { code: error.code, message: error.message, ...bodyOf(error) };
  if (isPromptExit(error)) return { code: exitCode.interrupted, message: 'Interrupted.' };
  const name = error instanceof Error ? error.name : '';
  const operatorCode = Object.hasOwn(operatorErrors, name) ? operatorErrors[name] : undefined;
  if (operatorCode !== undefined) return { code: operatorCode, message: (error as Error).message };
  const { serverRefusal } = await import('./session/server-refusal.ts');
  const refusal = serverRefusal(error);
  if (refusal !== null) return refusal;
  if (error instanceof Error && DISK.test(String((error as NodeJS.ErrnoException).code))) {
    const how = 'Check that the disk has space and that you may use this place.';
    return { code: exitCode.unexpected, message: `A file or folder cannot be used (${error.message}). ${how}` };
  }
  return {
    code: exitCode.unexpected,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

/** A command that explains a refusal further keeps the refusal as the cause of its error. */
function bodyOf({ cause }: CommandError): Pick<Failure, 'body'> {
  const body = (cause as { body?: unknown } | undefined)?.body;
  return typeof body === 'object' && body !== null ? { body: body as Record<string, unknown> } : {};
}

function printFailure({ code, message, body }: Failure, args: readonly string[]): ExitCode {
  const text = wantsJson(args)
    ? safeJson({ code: nameOf(code), ...body, detail: message, exit_code: code })
    : wrapAdvice(`sluice: ${plainText(message)}`, process.stderr.columns || Number.POSITIVE_INFINITY);
  process.stderr.write(`${text}\n`);
  return code;
}

/** The name of an exit code in the style of the API's error codes: `not_found`. */
function nameOf(code: ExitCode): string {
  const [name = 'unexpected'] = Object.entries(exitCode).find(([, number]) => number === code) ?? [];
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Read from the words themselves, because a usage error ends the parsing. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.some((word) => word === '--json' || word === '-q' || /^--jq(=|$)/.test(word));
}
