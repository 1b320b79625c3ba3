import { findCode } from '../tools/find-code.ts';
import { listFiles } from '../tools/list-files.ts';
import { outline } from '../tools/outline.ts';
import { plainPath } from '../tools/plan-scope.ts';
import { readFile } from '../tools/read-file.ts';
import { NO_OUTPUT, runCommand } from '../tools/run-command.ts';
import { searchText } from '../tools/search-text.ts';
import { type CallWithResult, hasFailed, resultText } from './transcript.ts';

const ERROR_CHARACTERS = 4_000; // the head of a test run is the same whatever failed in it

const times = /(?<!\d)\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?)\b|\b\d{1,2}:\d{2}:\d{2}\b/g; // durations, times of day
const numbers = /(?<![\w./-])\d+(?:,\d+)?p?(?![\w./-])/g; // not those of a path
const ranges = /(?<![\w./-])\d+,\d+p?\b|(?<=\b(?:head|tail) -(?:n ?\+?)?)\d+/g; // as in sed -n '1,20p'
const ofLines = /(?<=^.+: lines )\d+-\d+(?= of \d)/; // above the lines of a file
/** Parts that differ from run to run, or with the place of the code, and say nothing of the failure. */
const noise =
  /\bduration(?:_ms)?[:= ]+[\d.]+|\b\d{4}-\d\d-\d\d(?:T\S*)?|\b0x[\da-f]+|@[\da-f]{5,}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\/tmp\/\S+|(?<=[\w)\]]):\d+(?::\d+)?\b|^>? *\d+ ?\||\b(?:lines?|pid|port|seed|goroutine)[:= #]+\d+/gim;

const looking: ReadonlySet<string> = new Set(
  [listFiles, searchText, findCode, outline, readFile].map(({ name }) => name),
);

/** The result of a call, line by line; of a refused one, the lines that do not come from its input. */
export function toldLines(made: CallWithResult): string[] {
  return isRefused(made) ? [withoutInput(made)] : linesIn(made);
}

/**
 * Equal for calls that differ only in numbers, such as a range of lines. The name of a file may hold numbers, and others are
 * another file. A command with other numbers is another one if it prints something, unless they are a range of lines.
 */
export function kindOf(made: CallWithResult): string {
  const { call } = made;
  const isCommand = call.toolName === runCommand.name;
  if (isRefused(made) && !isLook(made)) return JSON.stringify([call.toolName, 'refused']);
  const shown = isCommand ? shownByCommand(call.input) : null;
  if (shown !== null) return JSON.stringify(shown);
  const alike = isCommand && linesIn(made).every((line) => line === NO_OUTPUT) ? numbers : ranges;
  return JSON.stringify([call.toolName, membersOf(call.input)], (_key, value) => {
    if (typeof value === 'number') return 0;
    return isCommand && typeof value === 'string' ? value.replaceAll(alike, '0') : value;
  });
}

const showing = /^\s*(?:(ls|dir|tree|find)|cat|nl|head|tail|sed -n)(?![\w-])([^|;&<>$`#]*)$/;

/** Whether a command only lists folders, or only shows files; and which. The program and its options do not matter. */
function shownByCommand(input: unknown): string[] | null {
  const command = typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '';
  const [found, listing, words = ''] = showing.exec(command) ?? [];
  if (found === undefined) return null;
  const paths = words.split(/[\s'"]+/).filter((word) => word !== '' && !/^-|^\d+(?:,\d+)?p?$/.test(word));
  return [listing === undefined ? 'shows' : 'lists', ...new Set((paths.length > 0 ? paths : ['.']).map(plainFolder))];
}

/** The same text for one path, however it is spelled. */
function plainFolder(path: string): string {
  return plainPath(path).replace(/(?<=.)\/$/, '');
}

/** Whether it looked for something. That one thing is not there says nothing of another. */
export function isLook({ call, result }: CallWithResult): boolean {
  return looking.has(call.toolName) && !resultText(result).startsWith(`${call.toolName} was not run`);
}

/** Whether a tool answered with an error, or that nothing is there. */
export function isRefused({ call, result }: CallWithResult): boolean {
  if (call.toolName === runCommand.name) return false;
  return hasFailed(result) || /^(?:No line in .{1,200}? matches|Nothing was found)\b/.test(resultText(result));
}

/** An output without what differs from run to run. */
export function withoutNoise(text: string): string {
  return text.replaceAll(noise, '#');
}

/** The lines of a result: of a command its output, as far as it does not only repeat the command. */
function linesIn({ call, result }: CallWithResult): string[] {
  const lines = resultText(result)
    .replace(ofLines, '')
    .replaceAll(times, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (call.toolName !== runCommand.name) return lines;
  const command = JSON.stringify(call.input ?? null);
  return lines.slice(1).filter((line) => !command.includes(JSON.stringify(line).slice(1, -1)));
}

/** Equal for the same call with the same result, whenever it was. */
export function signatureOf({ call, result }: CallWithResult): string {
  const text = resultText(result).replaceAll(times, '').trimEnd();
  return JSON.stringify([call.toolName, membersOf(call.input), result.output.type, text]);
}

/** The order of members does not matter, nor how a path is spelled. */
function membersOf(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => {
    const isPath = (name === 'path' || name === 'folder') && typeof value === 'string';
    return [name, isPath ? plainFolder(value.replace(/^\/+|^$/, './')) : value] as const;
  });
  return members.sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The error of a failed call without what it has from the call's input; null for a success, where nothing was said, and for a
 * look, which may well find nothing.
 */
export function errorOf(made: CallWithResult): string | null {
  return hasFailed(made.result) && !isLook(made) ? withoutInput(made) || null : null;
}

/** What a result says, as far as it does not come from the call's input. */
function withoutInput(made: CallWithResult): string {
  const { call } = made;
  const resultLines = linesIn(made).join('\n');
  const words = [call.toolName, ...stringsIn(call.input)].flatMap((text) => [text, ...text.split(/[\s"'`/]+/)]);
  const own = [...new Set(words)].filter(({ length }) => length > 2).sort((a, b) => b.length - a.length);
  const error = own
    .reduce((text, word) => text.replaceAll(word, '…'), resultLines)
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, '…');
  // Another number in what a command prints may be another outcome.
  const isCommand = call.toolName === runCommand.name;
  return (isCommand ? withoutNoise(error) : error.replaceAll(/\d+/g, '#')).slice(0, ERROR_CHARACTERS);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
