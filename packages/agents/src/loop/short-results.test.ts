import type { AssistantModelMessage, ToolModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { withShortResults } from './short-results.ts';
import { type TranscriptMessage, transcriptMessage } from './transcript.ts';

interface Made {
  readonly tool: string;
  readonly input: unknown;
  readonly told: string;
}

/** Turns with one call each. */
function transcriptOf(calls: readonly Made[]): TranscriptMessage[] {
  return calls.flatMap(({ tool: toolName, input, told }) => {
    const call = { type: 'tool-call' as const, toolCallId: 'c', toolName, input };
    const answer: AssistantModelMessage = { role: 'assistant', content: [call] };
    const output = { type: 'text' as const, value: told };
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
