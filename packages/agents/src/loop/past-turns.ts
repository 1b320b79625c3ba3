import { findCode } from '../tools/find-code.ts';
import { listFiles } from '../tools/list-files.ts';
import { outline } from '../tools/outline.ts';
import { readFile } from '../tools/read-file.ts';
import { NO_OUTPUT, runCommand } from '../tools/run-command.ts';
import { searchText } from '../tools/search-text.ts';
import { type FileWrite, fileWrites } from './file-writes.ts';
import { type CallWithResult, callsWithResults, hasFailed, resultText, type TranscriptMessage } from './transcript.ts';

/** One answer with calls, as the search for loops sees it. */
export interface PastTurn {
  readonly calls: readonly CallWithResult[];
  /** Equal for the same calls with the same results, in any order. Times in a result do not count. */
  readonly signature: string;
  /** The error, when every call failed with the same one whatever its input was; null otherwise, and where the files changed. */
  readonly failure: string | null;
  /** Whether it brought anything that the turns before it, with the files as they are now, had not. */
  readonly isNew: boolean;
  /** Whether that is more than that something is not there. */
  readonly isFind: boolean;
  /** Whether it showed lines that no call of its kind has, whatever the files were. */
  readonly showsMore: boolean;
  readonly writes: readonly FileWrite[];
  /** Whether it changed the files back to what they had been before. */
  readonly isReturn: boolean;
}

const LOOKED_BACK = 20; // turns: to read again what was read longer ago is no loop
const NEWS_SHARE = 0.25; // of a result's lines: windows over a file overlap, and the last line of one is no news
const ERROR_CHARACTERS = 4_000; // the head of a test run is the same whatever failed in it

const times = /\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?)\b|\b\d{1,2}:\d{2}:\d{2}\b/g; // durations, times of day
const numbers = /(?<![\w./-])\d+(?:,\d+)?p?(?![\w./-])/g; // not those of a path
const ranges = /(?<![\w./-])\d+,\d+p?\b|(?<=\b(?:head|tail) -(?:n ?\+?)?)\d+/g; // as in sed -n '1,20p'
const ofLines = /(?<=^.+: lines )\d+-\d+(?= of \d)/; // above the lines of a file
const looking: ReadonlySet<string> = new Set(
  [listFiles, searchText, findCode, outline, readFile].map(({ name }) => name),
);

/** The lines that each kind of call has shown. Calls that differ only in numbers are of one kind. */
type Shown = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What a turn has shown with the files in a state. With others the same is news: green checks after an edit look like those
 * before it.
 */
interface ShownWith {
  readonly tree: string | null;
  /** The last tree until then that had not been there before. */
  readonly newest: string | null;
  readonly lines: Shown;
}

/** The latest turns that made calls, in order: all since the agent was last told something by people or by a correction. */
export function pastTurns(transcript: readonly TranscriptMessage[]): readonly PastTurn[] {
  const answers = byAnswer(transcript);
  const first = Math.max(0, answers.length - 2 * LOOKED_BACK);
  const before = answers.slice(0, first).flatMap(([answer]) => answer?.tree ?? []);
  const trees = new Set(before);
  let lastTree = before.at(-1) ?? null;
  let newest = lastTree;
  const shown: ShownWith[] = [];
  let turns: PastTurn[] = [];
  for (const messages of answers.slice(first)) {
    const calls = callsWithResults(messages);
    const tree = messages[0]?.tree ?? null;
    const isReturn = tree !== null && tree !== lastTree && trees.has(tree);
    const isChange = tree !== null && !trees.has(tree);
    lastTree = tree ?? lastTree;
    newest = isChange ? tree : newest;
    const known = shown.slice(-LOOKED_BACK);
    const seen = known.filter((one) => one.tree === lastTree && one.newest === newest);
    const news = calls.filter((made) => !(tree !== null && isEdit(made)) && tells(made, seen));
    if (calls.length > 0)
      turns.push({
        calls,
        signature: [...new Set(calls.map(signatureOf))].sort().join('\n'),
        failure: isChange ? null : commonFailure(calls),
        isNew: isChange || news.length > 0,
        isFind: isChange || news.some((made) => !isRefused(made)),
        showsMore: calls.some((made) => showsMore(made, known)),
        writes: calls.flatMap(fileWrites),
        isReturn,
      });
    if (messages.some(({ kind }) => isNewInput(kind))) turns = [];
    shown.push({ tree: lastTree, newest, lines: linesOf(messages) });
    if (tree !== null) trees.add(tree);
  }
  return turns;
}

/** Whether the call changed a file on purpose. What it changed shows in the tree. */
function isEdit(made: CallWithResult): boolean {
  return fileWrites(made).length > 0;
}

/** Whether a message of this kind gives the agent something to work on. */
function isNewInput(kind: TranscriptMessage['kind']): boolean {
  return kind === 'note' || kind === 'correction' || kind === 'opening' || kind === 'request';
}

/** Each answer with the messages up to the next. */
function byAnswer(transcript: readonly TranscriptMessage[]): TranscriptMessage[][] {
  const groups: TranscriptMessage[][] = [];
  for (const message of transcript) {
    if (message.kind === 'answer') groups.push([message]);
    else groups.at(-1)?.push(message);
  }
  return groups;
}

/** A result that is sent shortened can be read again, so its lines do not count. */
function linesOf(messages: readonly TranscriptMessage[]): Shown {
  const whole = messages.filter(({ message, sent, kind }) => kind === 'answer' || message === sent);
  const shown = new Map<string, Set<string>>();
  for (const made of callsWithResults(whole)) {
    const kind = kindOf(made);
    shown.set(kind, new Set([...(shown.get(kind) ?? []), ...newsIn(made)]));
  }
  return shown;
}

function tells(made: CallWithResult, seen: readonly ShownWith[]): boolean {
  return unknownShare(made, seen) > NEWS_SHARE;
}

/** Whether it shows anything else: one other number in the output of a test is another outcome. */
function showsMore(made: CallWithResult, seen: readonly ShownWith[]): boolean {
  if (isEdit(made)) return false;
  return made.call.toolName === runCommand.name ? unknownShare(made, seen) > 0 : tells(made, seen);
}

/** The share of a result's lines that no call of its kind has shown. */
function unknownShare(made: CallWithResult, seen: readonly ShownWith[]): number {
  const kind = kindOf(made);
  const known = seen.flatMap(({ lines }) => lines.get(kind) ?? []);
  const lines = newsIn(made);
  const unknown = lines.filter((line) => !known.some((set) => set.has(line)));
  return unknown.length / Math.max(1, lines.length);
}

/**
 * A file's name may hold numbers, and other numbers are another file. A command with other numbers is another one if it
 * prints something, unless they are a range of lines.
 */
function kindOf(made: CallWithResult): string {
  const { call } = made;
  const isCommand = call.toolName === runCommand.name;
  if (isRefused(made) && !isLook(made)) return JSON.stringify([call.toolName, 'refused']);
  const alike = isCommand && toldLines(made).every((line) => line === NO_OUTPUT) ? numbers : ranges;
  return JSON.stringify([call.toolName, membersOf(call.input)], (_key, value) => {
    if (typeof value === 'number') return 0;
    return isCommand && typeof value === 'string' ? value.replaceAll(alike, '0') : value;
  });
}

/** Whether it looked for something. That one thing is not there says nothing of another. */
function isLook({ call, result }: CallWithResult): boolean {
  return looking.has(call.toolName) && !resultText(result).startsWith(`${call.toolName} was not run`);
}

/** Whether a tool answered with an error, or that nothing is there. */
function isRefused({ call, result }: CallWithResult): boolean {
  if (call.toolName === runCommand.name) return false;
  return hasFailed(result) || /^(?:No line in .{1,200}? matches|Nothing was found)\b/.test(resultText(result));
}

function newsIn(made: CallWithResult): string[] {
  return isRefused(made) ? [withoutInput(made)] : toldLines(made);
}

/** What a result tells: of a command its output, as far as it does not only repeat the command. */
function toldLines({ call, result }: CallWithResult): string[] {
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

function signatureOf({ call, result }: CallWithResult): string {
  const text = resultText(result).replaceAll(times, '').trimEnd();
  return JSON.stringify([call.toolName, membersOf(call.input), result.output.type, text]);
}

/** The order of members does not matter. */
function membersOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null ? Object.entries(input).sort() : input;
}

function commonFailure(calls: readonly CallWithResult[]): string | null {
  const [first, ...others] = calls.map(errorOf);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

/** The error of a failed call without what it has from the call's input; null for a success and where nothing was said. */
function errorOf(made: CallWithResult): string | null {
  return hasFailed(made.result) ? withoutInput(made) || null : null;
}

/** What a result says, as far as it does not come from the call's input. */
function withoutInput(made: CallWithResult): string {
  const { call } = made;
  const said = toldLines(made).join('\n');
  const words = [call.toolName, ...stringsIn(call.input)].flatMap((text) => [text, ...text.split(/[\s"'`/]+/)]);
  const own = [...new Set(words)].filter(({ length }) => length > 2).sort((a, b) => b.length - a.length);
  const error = own
    .reduce((text, word) => text.replaceAll(word, '…'), said)
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, '…')
    .replaceAll(/\d+/g, '#');
  return error.slice(0, ERROR_CHARACTERS);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
