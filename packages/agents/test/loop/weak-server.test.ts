import { describe, expect, it } from 'vitest';
import { answer, called, codeWith, FINISH } from './weak-server.ts';

describe('a server that counts what cannot be', () => {
  it.each([
    ['less than nothing', { prompt_tokens: -50, completion_tokens: -3 }, [0, 0, null]],
    ['parts of tokens', { prompt_tokens: 5.5, completion_tokens: 1.25 }, [6, 2, 0.00001]],
    ['more than there can be', { prompt_tokens: 1e20, completion_tokens: 1 }, [0, 1, null]],
    ['nothing', { prompt_tokens: null, completion_tokens: null }, [0, 0, null]],
  ])('is not believed: %s', async (_what, counts, [input_tokens, output_tokens, cost_usd]) => {
    const { usage } = await codeWith([answer(FINISH, { usage: counts })]);
    expect(usage).toEqual({ input_tokens, output_tokens, cost_usd });
  });
});

describe('a weak model', () => {
  it.each([
    [
      'input that breaks off',
      called('read_file', '{"path": "a.tx'),
      /^read_file was not run: its input is not valid JSON\. Give/,
    ],
    [
      'input that is no object',
      called('read_file', '["a.txt", 5]'),
      /^read_file was not run: its input is not valid JSON\./,
    ],
    ['input that is missing', called('read_file', '{"start_line": 1}'), /^read_file was not run: "path" is missing\.$/],
    ['a tool that there is not', called('browse', '{}'), /^There is no tool "browse"\. The tools are: list_files, /],
    ['a tool named like a part of every object', called('constructor', '{}'), /The tools are: list_files/],
  ])('learns what is wrong with %s, and continues', async (_what, delta, told) => {
    const { output, results, requests } = await codeWith([answer(delta, { finish: 'tool_calls' })]);
    expect(results).toEqual([expect.stringMatching(told)]);
    expect(output).toMatchObject({ outcome: 'done', summary: 'Done.' });
    expect(requests).toBe(2);
  });

  it.each([
    ['after it said that it stopped', called('read_file', '{"path": "a.txt"}'), 'stop'],
    ['for a reason that nobody knows', called('read_file', '{"path": "a.txt"}'), 'eos_token'],
    ['without an id', called('read_file', '{"path": "a.txt"}', { id: undefined }), 'tool_calls'],
    ['with words', { content: 'I look.', ...called('read_file', '{"path": "a.txt"}') }, 'tool_calls'],
  ])('may call a tool %s', async (_how, delta, finish) => {
    const { results, requests } = await codeWith([answer(delta, { finish })]);
    expect(results).toEqual([expect.stringContaining('\nA')]);
    expect(requests).toBe(2);
  });

  it('may give the same id to a call of each answer', async () => {
    const turns = ['a.txt', 'b.txt'].map((path) => answer(called('read_file', JSON.stringify({ path }))));
    expect((await codeWith(turns)).results).toEqual([expect.stringContaining('\nA'), expect.stringContaining('\nB')]);
  });

  it('is asked again when it only thinks, and its thoughts are no part of what it says', async () => {
    const thoughts = answer({ reasoning_content: 'Hm.' });
    const blocked = answer({ content: '<think>\nMaybe {"a": 1}.\n</think>\n\nBLOCKED: there is no such file.' });
    const { output, requests } = await codeWith([thoughts, blocked]);
    expect(output).toMatchObject({ outcome: 'blocked', summary: 'there is no such file.' });
    expect(requests).toBe(2);
  });
});
