import { runCommand } from '../tools/run-command.ts';
import { type FileWrite, fileWrites } from './file-writes.ts';
import { errorOf, isRefused, kindOf, signatureOf, toldLines } from './told-lines.ts';
import { type CallWithResult, callsWithResults, type TranscriptMessage } from './transcript.ts';

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

/** The lines that each kind of call has shown. */
type Shown = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The results of a turn with the files in a state. With other files the same result is news: green checks after an edit
 * look like those before it.
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
export function isNewInput(kind: TranscriptMessage['kind']): boolean {
  return kind === 'note' || kind === 'correction' || kind === 'opening' || kind === 'request';
}

/** Each answer with the messages up to the next. */
export function byAnswer(transcript: readonly TranscriptMessage[]): TranscriptMessage[][] {
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
    shown.set(kind, new Set([...(shown.get(kind) ?? []), ...toldLines(made)]));
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
  const lines = toldLines(made);
  const unknown = lines.filter((line) => !known.some((set) => set.has(line)));
  return unknown.length / Math.max(1, lines.length);
}

function commonFailure(calls: readonly CallWithResult[]): string | null {
  const [first, ...others] = calls.map(errorOf);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}
