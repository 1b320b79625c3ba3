import { describe, expect, it } from 'vitest';
import { editFile } from './edit-file.ts';
import { refusalOf, useTool } from './test/use-tool.ts';
import { writeFile } from './write-file.ts';

/** A parser that takes every text but one with "BROKEN" in it. */
const syntaxFaults = ({ text }: { text: string }) =>
  text
    .split('\n')
    .flatMap((line, index) => (line.includes('BROKEN') ? [{ line: index + 1, problem: '")" is missing' }] : []));

const files = { 'a.ts': 'one\ntwo\nthree\nfour\n', 'b.ts': 'BROKEN\nBROKEN\nc\n' };
const options = { files, syntaxFaults };

describe('an edit that breaks the syntax', () => {
  it.each([
    [editFile, { old_text: 'three', new_text: 'BROKEN' }],
    [writeFile, { content: 'one\ntwo\nBROKEN\nfour\n' }],
  ] as const)('is refused, with the line and what would stand around it', async (tool, input) => {
    const told = await refusalOf(tool, { path: 'a.ts', ...input }, options);
    expect(told).toBe(
      'Nothing was written: a.ts would not parse (line 3: ")" is missing). So it would stand there:\n1\tone\n2\ttwo\n3\tBROKEN\n4\tfour\n5\t\nCorrect the text. If it is right all the same, set syntax_is_right.',
    );
  });

  it('is refused in a new file, and names few of many faults', async () => {
    const told = await refusalOf(writeFile, { path: 'new.ts', content: 'BROKEN\n'.repeat(9) }, options);
    expect(told).toContain('(line 1: ")" is missing; line 2: ")" is missing; line 3: ")" is missing)');
  });

  it('is made where the model insists', async () => {
    const input = { path: 'a.ts', content: 'BROKEN', syntax_is_right: true };
    expect((await useTool(writeFile, input, options)).files.snapshot()['a.ts']).toBe('BROKEN');
  });

  it('is made in a file that was broken before, and told', async () => {
    const { answer } = await useTool(editFile, { path: 'b.ts', old_text: 'BROKEN\nc', new_text: 'c' }, options);
    expect(answer).toBe('Edited b.ts. It does not parse, as before: line 1: ")" is missing.');
  });

  it.each(['test/fixtures/bad.ts', 'vendor/x.ts', 'src/api.generated.ts', 'a_pb2.py'])(
    'is made in %s',
    async (path) => {
      const { files: left } = await useTool(writeFile, { path, content: 'BROKEN' }, options);
      expect(left.changes).toEqual([`write ${path}`]);
    },
  );
});
