import type { LanguageModelV4Prompt as Prompt } from '@ai-sdk/provider';
import type { AgentResult, JournalEntry, JournalWrite, Note } from '@sluice/core/agent';
import type { NewEvent } from '@sluice/core/issue';
import { beforeAll, describe, expect, it } from 'vitest';
import { RESTARTED } from '../../src/tools/agent-tool.ts';
import { commitOf } from '../loop/memory-context.ts';
import { type CoderOptions, call, scriptedCoder } from '../loop/scripted-coder.ts';
import { finished, type ScriptedTurn } from '../loop/scripted-model.ts';

// Usual way: packages/agents/test/loop/resume.test.ts

/*
 * A recorded run with everything in it: several turns, effects of each kind, notes, steps within the window, checkpoints,
 * a corrected answer, and a note that comes with the last answer. It is cut at every write to the journal.
 */

class Killed extends Error {}

const long = (name: string) => `${name}\n${'some words of it\n'.repeat(700)}`;
const READS = 12;
const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'a',
  'b.txt': 'b',
  ...Object.fromEntries(Array.from({ length: READS }, (_, index) => [`${index}.txt`, long(`file ${index}`)])),
};
const read = (id: number) => call(`r${id}`, 'read_file', { path: `${id}.txt` });
const EDITS: readonly ScriptedTurn[] = [
  { text: 'First.', calls: [call('c', 'edit_file', { path: 'a.txt', old_text: 'a', new_text: 'aa' }), read(0)] },
  { calls: [call('c', 'run_command', { command: 'make once' }), call('d', 'no_such_tool', {})] },
  { calls: [call('c', 'write_file', { path: 'c.txt', content: 'c', outside_plan_reason: 'Needed.' })] },
];
const SCRIPT: readonly ScriptedTurn[] = [
  ...EDITS,
  ...Array.from({ length: READS - 2 }, (_, index) => ({ calls: [read(index + 1)] })),
  { text: 'half an', finish: 'length' },
  { calls: [call('c', 'delete_file', { path: 'b.txt' })] },
  finished('Done.'),
  finished('Done, with your note.'),
];

/** What people have written by the n-th answer. */
function notes(answers: number): Note[] {
  const written: Note[] = [];
  if (answers >= 2) written.push({ seq: 11, text: 'Mind the zero.' });
  if (answers >= 7) written.push({ seq: 12, text: 'And the sign.' });
  if (answers >= SCRIPT.length - 1) written.push({ seq: 13, text: 'And the end.' });
  return written;
}

function start(options: Pick<CoderOptions, 'journal' | 'files' | 'onAppend' | 'onAppended' | 'checkpoint'>) {
  return scriptedCoder(
    (_request, prompt) => {
      // The answers that a request holds say which turn it is, whichever process asks.
      const answered = prompt.filter(({ role }) => role === 'assistant').length;
      const turn = SCRIPT[answered] ?? finished('Too far.');
      return { ...turn, inputTokens: Math.round(JSON.stringify(prompt).length / 4) };
    },
    { choice: { contextTokens: 34_000, maxOutputTokens: 4_000, costUsd: () => 0.5 }, notes, ...options },
  );
}

interface Story {
  readonly result: AgentResult<'coder'>;
  readonly files: unknown;
  readonly effects: readonly string[];
  readonly prompts: readonly Prompt[];
  readonly journal: readonly JournalEntry[];
  readonly events: readonly NewEvent[];
}

/** What a kill leaves behind. */
interface Remains {
  readonly first: ReturnType<typeof start>;
  /** The write at which it was killed. */
  readonly written: JournalWrite;
  /** The files as they were at the last checkpoint in the journal. */
  readonly kept: Readonly<Record<string, string>>;
}

/** Runs until it is killed at the n-th write; null when there were fewer. */
async function killedAt(nth: number, side: 'before' | 'after'): Promise<Remains | null> {
  let writes = 0;
  let last: JournalWrite | null = null;
  const trees = new Map<string, Readonly<Record<string, string>>>();
  const first = start({
    files: FILES,
    [side === 'before' ? 'onAppend' : 'onAppended'](written: JournalWrite) {
      writes += 1;
      last = written;
      if (writes === nth) throw new Killed();
    },
    async checkpoint() {
      const commit = commitOf(first.files.snapshot());
      trees.set(commit, first.files.snapshot());
      return { commit, object: '', patch: new Uint8Array() };
    },
  });
  const error = await first.run().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null || last === null) return null;
  expect(error).toBeInstanceOf(Killed);
  const entry = first.journal.findLast(({ kind }) => kind === 'checkpoint');
  const commit = entry?.kind === 'checkpoint' ? entry.commit : null;
  return { first, written: last, kept: commit === null ? FILES : (trees.get(commit) ?? FILES) };
}

/** Another process goes on from what is on disk. */
async function goneOn({ first }: Remains, options: Pick<CoderOptions, 'journal' | 'files'> = {}): Promise<Story> {
  const second = start({ files: first.files.snapshot(), journal: first.journal, ...options });
  const result = await second.run();
  return {
    result,
    files: second.files.snapshot(),
    effects: [...first.effects, ...second.effects],
    prompts: [...first.prompts, ...second.prompts],
    journal: second.journal,
    events: [...first.events, ...second.events],
  };
}

let whole: Story & { readonly writes: number };

beforeAll(async () => {
  let writes = 0;
  const coder = start({
    files: FILES,
    onAppend: () => {
      writes += 1;
    },
  });
  const result = await coder.run();
  const { effects, prompts, journal, events } = coder;
  whole = { result, files: coder.files.snapshot(), effects, prompts, journal, events, writes };
});

describe('a recorded run', () => {
  it('has all in it that a kill could hurt', () => {
    const kinds = new Set(whole.journal.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(
      ['begin', 'checkpoint', 'done', 'message', 'note', 'result', 'trim', 'usage'].sort(),
    );
    expect(whole.journal.filter(({ kind }) => kind === 'trim').length).toBeGreaterThan(1);
    expect(whole.effects).toEqual(['write a.txt', 'make once', 'write c.txt', 'remove b.txt']);
    expect(whole.result).toMatchObject({
      output: {
        outcome: 'done',
        summary: 'Done, with your note.',
        outsidePlan: [{ path: 'c.txt', reason: 'Needed.' }],
      },
    });
  });

  it('killed after any write goes on to the same end, with the same requests, each effect once', async () => {
    let nth = 1;
    for (; ; nth += 1) {
      const remains = await killedAt(nth, 'after');
      if (remains === null) break;
      const story = await goneOn(remains);
      expect(story.prompts).toHaveLength(whole.prompts.length);
      expect(story.events.filter(isService)).toEqual(whole.events.filter(isService));
      if (JSON.stringify(story.journal).includes(RESTARTED)) {
        // The effect may have happened when the process died: the model hears so, and there the two differ.
        expect(story.effects).toEqual(whole.effects.filter((effect) => story.effects.includes(effect)));
        continue;
      }
      expect(story).toEqual(storyOf(whole));
    }
    expect(nth).toBe(whole.writes + 1);
  });

  it('killed before any write asks again only for the answer that was not written', async () => {
    let nth = 1;
    for (; ; nth += 1) {
      const remains = await killedAt(nth, 'before');
      if (remains === null) break;
      const story = await goneOn(remains);
      const isAnswer = remains.written.entries.some(({ kind }) => kind === 'usage');
      expect(story.prompts).toHaveLength(whole.prompts.length + (isAnswer ? 1 : 0));
      expect(story.effects).toEqual(whole.effects);
      expect(story.files).toEqual(whole.files);
      // Where the model hears of the restart it is sent a few words more, which count.
      const { ran: _, ...output } = whole.result.output;
      expect(story.result).toMatchObject({ output, retrieved: whole.result.retrieved });
    }
    expect(nth).toBe(whole.writes + 1);
  });

  it('killed after any write, its tree lost and put back, comes to the same end', async () => {
    let nth = 1;
    for (; ; nth += 1) {
      const remains = await killedAt(nth, 'after');
      if (remains === null) break;
      const journal: JournalEntry[] = [...remains.first.journal, { kind: 'rewind' }];
      const story = await goneOn(remains, { files: remains.kept, journal });
      expect(story.prompts).toEqual(whole.prompts);
      expect(story.files).toEqual(whole.files);
      expect(story.result).toEqual(whole.result);
    }
    expect(nth).toBe(whole.writes + 1);
  });
});

function storyOf({ writes: _, ...story }: typeof whole): Story {
  return story;
}

function isService(event: NewEvent): boolean {
  return event.type === 'agent.message' && event.data.agent === 'service';
}
