import { describe, expect, it } from 'vitest';
import { answer, called, codeWith } from './weak-server.ts';

const FILES = { 'a.txt': 'A', 'b.txt': 'B' };
const READ = /^a\.txt: lines 1-1 of 1/;
const WROTE = /^Wrote a\.txt/;
const EDITED = /^Edited a\.txt/;
const FOUND = /^a\.txt\n1: A$/;
const PATTERN = { pattern: 'A', literal: true };
const RAN = /^Exit code 0/;

const edit = (input: object) => JSON.stringify({ path: 'a.txt', ...input });

const slips: readonly (readonly [string, string, string | object, RegExp])[] = [
  ['a comma too many', 'read_file', '{"path": "a.txt",}', READ],
  ['a fence around it', 'read_file', '```json\n{"path": "a.txt"}\n```', READ],
  ['the constants of Python', 'edit_file', '{"path":"a.txt","old_text":"A","new_text":"C","replace_all":True}', EDITED],
  ['a line break inside a text', 'write_file', '{"path":"a.txt","content":"one\ntwo"}', WROTE],
  ['JSON in a string', 'read_file', JSON.stringify('{"path":"a.txt"}'), READ],
  ['null for what is absent', 'read_file', { path: 'a.txt', start_line: null, end_line: null }, READ],
  ['a number in quotes', 'read_file', { path: 'a.txt', start_line: '1' }, READ],
  ['a truth in quotes', 'edit_file', edit({ old_text: 'A', new_text: 'C', replace_all: 'True' }), EDITED],
  ['a number for a truth', 'edit_file', edit({ old_text: 'A', new_text: 'C', replace_all: 1 }), EDITED],
  ['a word for a truth', 'edit_file', edit({ old_text: 'A', new_text: 'C', replace_all: 'yes' }), EDITED],
  ['a start of 0 and an end of -1', 'read_file', { path: 'a.txt', offset: 0, end_line: -1 }, READ],
  ['an empty text for what is absent', 'search_text', { ...PATTERN, path: '', glob: '', limit: '' }, FOUND],
  ['more than the most', 'search_text', { ...PATTERN, limit: 1_000, context_lines: '50' }, FOUND],
  ['a time with its unit', 'run_command', { command: 'make', timeout_s: '60s' }, RAN],
  ['no time at all', 'run_command', { command: 'make', timeout_s: 0 }, RAN],
  ['a command in words', 'run_command', { command: ['npm', 'run', 'test'] }, RAN],
  ['a command for a shell', 'shell', { command: ['bash', '-lc', 'make | tee "a b"'] }, RAN],
  ['an object around it', 'read_file', { input: { path: 'a.txt' } }, READ],
  ['a list around it', 'read_file', '[{"path": "a.txt"}]', READ],
  ['an input that there is not', 'read_file', { path: 'a.txt', encoding: 'utf8' }, READ],
  ['a list of one', 'read_file', { path: ['a.txt'] }, READ],
  ['a name in camel case', 'read_file', { path: 'a.txt', startLine: 1 }, READ],
  ['file_path', 'read_file', { file_path: 'a.txt' }, READ],
  ['filename', 'read_file', { filename: 'a.txt' }, READ],
  ['the folder that commands see', 'read_file', { path: '/workspace/a.txt' }, READ],
  ['old_str and new_str', 'edit_file', edit({ old_str: 'A', new_str: 'C' }), EDITED],
  ['old_string and new_string', 'edit_file', edit({ old_string: 'A', new_string: 'C' }), EDITED],
  ['contents', 'write_file', { path: 'a.txt', contents: 'C' }, WROTE],
  ['cmd', 'run_command', { cmd: 'make' }, RAN],
  ['a tool in other letters', 'Read_File', { path: 'a.txt' }, READ],
  ['a tool with a prefix', 'functions.read_file', { path: 'a.txt' }, READ],
  ['bash', 'bash', { command: 'make' }, RAN],
  ['cat', 'cat', { file: 'a.txt' }, READ],
  ['str_replace', 'str_replace', edit({ old_str: 'A', new_str: 'C' }), EDITED],
  ["a vendor's editor", 'str_replace_based_edit_tool', { command: 'view', path: 'a.txt' }, READ],
  ["a vendor's editor that creates", 'str_replace_editor', { command: 'create', path: 'a.txt', file_text: 'C' }, WROTE],
];

describe('a slip in a call', () => {
  it.each(slips)('costs no turn: %s', async (...[, tool, input, told]) => {
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const { results, requests } = await codeWith([answer(called(tool, json), { finish: 'tool_calls' })], {
      files: FILES,
    });
    expect(results).toEqual([expect.stringMatching(told)]);
    expect(requests).toBe(2);
  });

  it('is told where an input was ignored', async () => {
    const { results } = await codeWith([answer(called('read_file', '{"path":"a.txt","encoding":"utf8"}'))]);
    expect(results[0]).toMatch(/\n\(read_file has no input encoding: ignored\.\)$/);
  });

  it('is recorded under the names of our tools, so that a file outside the plan is known as such', async () => {
    const input = { file_path: 'c.txt', contents: 'C', reason: 'The build reads it.' };
    const { output, journal } = await codeWith([answer(called('create_file', JSON.stringify(input)))]);
    expect(output.outsidePlan).toEqual([{ path: 'c.txt', reason: 'The build reads it.' }]);
    expect(JSON.stringify(journal)).not.toContain('create_file');
  });
});
