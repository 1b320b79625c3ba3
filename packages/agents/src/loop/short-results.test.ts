import type { AssistantModelMessage, ToolModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { RESTARTED } from '../tools/agent-tool.ts';
import { withShortResults } from './short-results.ts';
import { resultText, type TranscriptMessage, transcriptMessage } from './transcript.ts';

interface Made {
  readonly tool: string;
  readonly input: unknown;
  readonly told: string;
  readonly isError?: boolean;
}

/** Turns with one call each. */
function transcriptOf(calls: readonly Made[]): TranscriptMessage[] {
  return calls.flatMap(({ tool: toolName, input, told, isError = false }) => {
    const call = { type: 'tool-call' as const, toolCallId: 'c', toolName, input };
    const answer: AssistantModelMessage = { role: 'assistant', content: [call] };
    const output = { type: isError ? ('error-text' as const) : ('text' as const), value: told };
    const result: ToolModelMessage = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName, output }],
    };
    return [transcriptMessage('answer', answer), transcriptMessage('result', result)];
  });
}

const sent = (transcript: readonly TranscriptMessage[]) => transcript.map((one) => JSON.stringify(one.sent));

describe('what was read of a file', () => {
  const read = {
    tool: 'read_file',
    input: { path: 'src/a.ts' },
    told: `src/a.ts: lines 1-99 of 99\n${'x'.repeat(900)}`,
  };
  const told = 'Replaced 2 places in 2 files:\nsrc/a.ts: 1 place\nsrc/b.ts: 1 place';
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch';

  it.each<Made>([
    { tool: 'edit_file', input: { path: './src/a.ts', old_text: 'x', new_text: 'y' }, told: 'Edited ./src/a.ts.' },
    { tool: 'apply_patch', input: { patch }, told: 'Applied:\nsrc/a.ts: 1 place' },
    { tool: 'replace_in_files', input: { old_text: 'x', new_text: 'y' }, told },
    { tool: 'rename_symbol', input: { old_name: 'x', new_name: 'y' }, told },
  ])('is out of date once $tool has changed the file', (change) => {
    const [, result] = sent(withShortResults(transcriptOf([read, change]), { results: 0, spent: 2 }));
    expect(result).toContain('this text is out of date');
  });

  it.each<Made>([
    { tool: 'apply_patch', input: { patch: patch.replace('a.ts', 'b.ts') }, told: 'Applied:\nsrc/b.ts: 1 place' },
    {
      tool: 'replace_in_files',
      input: { old_text: 'x', new_text: 'y', preview: true },
      told: 'Nothing was changed. "x" stands at 1 place in 1 file:\n- src/a.ts (1 place)',
    },
  ])('stays after $tool of another file, or of none', (change) => {
    const [, result] = sent(withShortResults(transcriptOf([read, change]), { results: 0, spent: 2 }));
    expect(result).toContain('xxx');
  });
});

describe('a long text that was written', () => {
  const write = { tool: 'write_file', input: { path: 'a.ts', content: 'x'.repeat(900) } };

  it.each([
    [{ told: 'Wrote a.ts.' }, 'which were taken as written'],
    [{ told: 'Nothing was written: a.ts would not parse.', isError: true }, 'of a call that was refused'],
    [{ told: RESTARTED, isError: true }, 'of a call that may have had its effect'],
  ])('is left out with what came of it: %j', (ending, words) => {
    const [answer] = sent(withShortResults(transcriptOf([{ ...write, ...ending }]), { results: 0, spent: 1 }));
    expect(answer).toContain(`(900 characters, ${words}; left out by the service to make room)`);
    expect(answer).not.toContain('xxx');
  });
});

describe('an old result', () => {
  const told = (characters: number) => `Exit code 0, after 1.0 s.\n${'o'.repeat(characters - 26)}`;
  const transcript = [500, 750, 900].map((size) => ({
    tool: 'run_command',
    input: { command: 'x' },
    told: told(size),
  }));
  const lengths = (kept?: number) =>
    withShortResults(transcriptOf(transcript), { results: 3, kept }).flatMap(({ sent: message }) => {
      if (message.role !== 'tool') return [];
      return message.content.map((part) => (part.type === 'tool-result' ? resultText(part).length : 0));
    });

  it('of more than 800 characters is shortened to 400 by a step that does not say to how many', () => {
    expect(lengths()).toEqual([500, 750, expect.toSatisfy((length: number) => length > 400 && length < 600)]);
  });

  it('is shortened to as many as the step says, and left out where that is none', () => {
    for (const length of lengths(200)) expect(length).toBeLessThan(350);
    expect(lengths(0)).toEqual([75, 75, 75]);
  });
});

describe('what was shortened before', () => {
  const think = (transcript: TranscriptMessage[]): TranscriptMessage[] =>
    transcript.map((one) => {
      if (one.message.role !== 'assistant' || typeof one.message.content === 'string') return one;
      const thought = { type: 'reasoning' as const, text: 'hm '.repeat(400) };
      return transcriptMessage('answer', { ...one.message, content: [thought, ...one.message.content] });
    });

  it.each([
    { results: 1, spent: 1, kept: 0 },
    { results: 0, spent: 1, kept: 90, longest: 400 },
  ])('stays as it is in the next step like it: %j', (step) => {
    const made = {
      tool: 'run_command',
      input: { command: 'x'.repeat(999) },
      told: `Exit code 0, ${'o'.repeat(3_000)}`,
    };
    const once = withShortResults(think(transcriptOf([made, made])), step);
    expect(sent(once)).not.toEqual(sent(think(transcriptOf([made, made]))));
    expect(sent(withShortResults(once, step))).toEqual(sent(once));
  });
});
