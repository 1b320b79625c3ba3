import type { LanguageModelV4Prompt as Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from './scripted-coder.ts';
import type { ScriptedTurn } from './scripted-model.ts';

const counted = (prompt: Prompt) => Math.round(JSON.stringify(prompt).length / 4);
const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `f${index}.js`,
    `// ${index}\n${'const a = 1;\n'.repeat(300 + index * 40)}`,
  ]),
);

/** Reads a file a turn. The server counts as `count` says. */
function readerAt(count: (size: number, request: number) => number, contextTokens = 64_000) {
  let requests = 0;
  const script = (_request: number, prompt: Prompt): ScriptedTurn => {
    const answered = prompt.filter(({ role }) => role === 'assistant').length;
    const inputTokens = Math.max(1, Math.round(count(counted(prompt), requests)));
    requests += 1;
    const calls = [call('r', 'read_file', { path: `f${answered}.js` })];
    return { ...(answered < 16 ? { calls } : { text: 'Done.' }), inputTokens };
  };
  return scriptedCoder(script, { files, choice: { contextTokens } });
}

const isNotice = (text: string) => text.includes('seems to cut requests');

describe('a server that cuts what it is sent without saying so', () => {
  it('is named once, with its size, and gets no more than that', async () => {
    const coder = readerAt((size) => Math.min(size, 12_000));
    await coder.run();
    const notices = coder.serviceMessages().filter(isNotice);
    expect(notices).toEqual([expect.stringContaining('at about 12000 tokens')]);
    expect(notices[0]).toContain('num_ctx');
    const at = coder.prompts.findIndex((prompt) => counted(prompt) > 12_000);
    // Two counts tell it; after that each request fits.
    const after = coder.prompts.slice(at + 2).map(counted);
    expect(after.length).toBeGreaterThan(1);
    expect(Math.max(...after)).toBeLessThan(12_000);
  });

  it('ends the work in words where nothing fits into what it takes', async () => {
    const coder = readerAt((size) => Math.min(size, 2_000));
    await expect(coder.run()).rejects.toMatchObject({
      code: 'model_context_full',
      message: expect.stringMatching(/seems to cut requests at about 2000 tokens.*set context_tokens/),
    });
  });

  it.each([
    ['counts everything', (size: number) => size],
    ['counts seven tenths of what is estimated', (size: number) => size * 0.8],
    ['counts nothing', () => 0],
    ['counts next to nothing', () => 40],
  ])('is not a server that %s', async (_name, count) => {
    const coder = readerAt(count);
    await coder.run();
    expect(coder.serviceMessages().filter(isNotice)).toEqual([]);
  });

  it('is not a server whose low counts differ widely, because some requests were cached in part', async () => {
    const coder = readerAt((size, request) => (size < 12_000 ? size : 1_100 * 3 ** (request % 2)));
    await coder.run();
    expect(coder.serviceMessages().filter(isNotice)).toEqual([]);
  });

  it('is not a server that leaves out what it had cached', async () => {
    let before = 0;
    const coder = readerAt((size) => {
      const added = size - before;
      before = size;
      return added;
    });
    await coder.run();
    expect(coder.serviceMessages().filter(isNotice)).toEqual([]);
  });
});
