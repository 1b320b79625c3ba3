import { describe, expect, it } from 'vitest';
import { aPlanFor } from '../../test/loop/memory-context.ts';
import { call, scriptedCoder } from '../../test/loop/scripted-coder.ts';
import { finished } from '../../test/loop/scripted-model.ts';
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
      'Nothing was written: a.ts would not parse (line 3: ")" is missing). The result would be:\n1\tone\n2\ttwo\n3\tBROKEN\n4\tfour\n5\t\nCorrect the text. If it is right all the same, set syntax_is_right.',
    );
  });

  it('is refused in a new file, and names few of many faults', async () => {
    const told = await refusalOf(writeFile, { path: 'new.ts', content: 'BROKEN\n'.repeat(9) }, options);
    expect(told).toContain('(line 1: ")" is missing; line 2: ")" is missing; line 3: ")" is missing)');
  });

  it('is made where the model insists after a refusal of the same file', async () => {
    const input = (path: string) => ({ path, content: 'BROKEN', syntax_is_right: true });
    expect(await refusalOf(writeFile, input('a.ts'), options)).toContain('a.ts would not parse');
    const script = ['a.ts', './a.ts', 'b.ts'].map((path, id) => ({
      calls: [call(`${id}`, 'write_file', input(path))],
    }));
    const coder = scriptedCoder([...script, finished('Done.')], { plan: aPlanFor(['a.ts', 'b.ts']), syntaxFaults });
    await coder.run();
    expect(coder.results().map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^Nothing was written: a\.ts/),
      expect.stringMatching(/^Wrote/),
      expect.stringMatching(/^Nothing was written: b\.ts/),
    ]);
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
