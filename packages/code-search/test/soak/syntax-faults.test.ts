import { describe, expect, it } from 'vitest';
import { syntaxFaults } from '../../src/lexical/syntax/syntax-faults.ts';
import { createSyntaxParser } from '../../src/lexical/syntax/syntax-parser.ts';
import { brokenEdits, goodEdits, type SampleEdit } from '../../src/lexical/syntax/test/edit-corpus.ts';

const parser = await createSyntaxParser();

async function refused(edits: readonly SampleEdit[]): Promise<{ refused: string[]; passed: string[] }> {
  const told = { refused: [] as string[], passed: [] as string[] };
  for (const { path, what, before, after } of edits) {
    expect(await syntaxFaults(parser, { path, text: before }), path).toEqual([]);
    const faults = await syntaxFaults(parser, { path, text: after });
    (faults?.length ? told.refused : told.passed).push(`${path}: ${what}`);
  }
  return told;
}

describe('the check of syntax', () => {
  it('finds at least 95 of 100 broken edits in fourteen languages', async () => {
    const edits = brokenEdits();
    const { passed } = await refused(edits);
    expect(edits.length).toBeGreaterThanOrEqual(200);
    expect(passed.length / edits.length, passed.join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('takes every good edit, with the newest syntax of its language', async () => {
    const edits = goodEdits();
    expect(edits.length).toBeGreaterThanOrEqual(200);
    expect((await refused(edits)).refused).toEqual([]);
  });

  it.each([
    ['a.py', 'def f():\nreturn 1\n', [2, 'an indented block is missing after line 1']],
    ['a.py', 'if a:\n        b()\n    c()\n', [3, 'its indentation matches no outer line']],
    ['a.py', 'a()\n  b()\n', [2, 'this line is indented, but the one before it opens no block']],
    ['a.py', 'def f():\n', [1, 'the block after it is missing']],
    ['a.py', 'x = 1\nreturn return x\n', [2, '"return" stands there twice']],
    ['a.rb', 'def a\n  b\nend\nend\n', [4, '"end" closes nothing']],
    ['a.sh', 'f() {\n  a\n  fi\n}\n', [3, '"fi" closes nothing']],
    ['a.js', 'f(1;\n', [1, '")" is missing']],
    ['a.md', '# A\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n', [2, 'a conflict marker']],
    ['a.css', '.a {\n', [1, '"{" is not closed']],
    ['a.c', 'int a[] = (1};\n', [1, '"}" closes nothing that is open']],
    ['a.c', 'int a;\n```\n', [2, '"`" is not expected']],
    ['a.cc', 'int a;\\n int b;\n', [1, '"\\" is not expected']],
    ['a.c', 'int a;\n/* b\n', [2, 'the comment has no end']],
    ['a.c', '#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n}\n', [7, '"}" closes nothing that is open']],
    ['a.c', '#if A\nint a[] = {\n#else\n};\n#endif\n', [2, '"{" is not closed']],
    ['a.json', '{\n  "a": 1,\n}\n', [3, 'Expected double-quoted property name']],
    ['a.json', '{\n  // b\n  "a": 1,\n', [4, 'Expected double-quoted property name']],
    ['package.json', '{\n  // b\n  "a": 1\n}\n', [2, "Expected property name or '}'"]],
    ['a.py', 'try:\n    a()\nb()\n', [1, '"try" has neither "except" nor "finally"']],
    ['a.tsx', 'const A = (\n  <b>\n  </i>\n);\n', [3, '"</i>" closes "<b>"']],
    ['a.js', 'const a = <></b>;\n', [1, '"</b>" closes "<>"']],
    ['a.yml', '\n```yaml\na: 1\n```\n', [2, 'a fence of Markdown']],
  ] as const)('says where and what in %s: %j', async (path, text, [line, problem]) => {
    expect(await syntaxFaults(parser, { path, text })).toContainEqual({ line, problem });
  });

  it('knows nothing of other languages, of JSON with comments and of what is too large', async () => {
    const large = 'f('.repeat(300_000);
    for (const [path, text] of [
      ['a.hs', 'f ('],
      ['Makefile', 'a: ('],
      ['a.ps1', 'f ('],
      ['tsconfig.json', '{ // a\n}'],
      ['cspell.json', '{ /* "a */ "b": "//", // c\n "d": [1,], }'],
      ['a.ts', large],
    ] as const)
      expect(await syntaxFaults(parser, { path, text }), path).toBeNull();
  });

  it('takes what begins with a fence in Markdown', async () => {
    for (const path of ['a.md', 'README', 'prompts/a.md.j2', 'a.mdx'])
      expect(await syntaxFaults(parser, { path, text: '```\na\n```\n' }), path).toBeNull();
  });

  it('takes JavaScript with Flow and with JSX for what it is', async () => {
    const flow =
      '/**\n * @flow strict\n */\nimport type { A } from "a";\nfunction f(x: ?A): {| a: string |} { return (x: any); }\n';
    expect(await syntaxFaults(parser, { path: 'a.js', text: flow })).toBeNull();
    const jsx = 'const A = () => <A.B {...c} d:e="1"><>{f && <g />}text</></A.B>;\n';
    expect(await syntaxFaults(parser, { path: 'a.js', text: jsx })).toEqual([]);
    const unknownToJavaScript = '<p alt="" />';
    expect(await syntaxFaults(parser, { path: 'a.js', text: `const a = ${unknownToJavaScript};\n` })).toEqual([]);
    for (const typed of [
      'const a = b as string',
      'function f(a: number) {}',
      'interface A {}',
      'let a = b!.c',
      'enum A {}',
    ])
      expect(await syntaxFaults(parser, { path: 'a.js', text: `f(${unknownToJavaScript});\n${typed};\n` })).not.toEqual(
        [],
      );
  });

  it('takes ends that are names, texts or calls for what they are', async () => {
    const ruby = 'range.\n  end\nx = <<~TEXT\n  end\nTEXT\nmodule A\n  def end = 1\nend\n';
    const bash = 'cat <<X\nfi\nX\ncase a in\n  done) echo ;;\nesac\necho "\nfi"\n';
    expect(await syntaxFaults(parser, { path: 'a.rb', text: ruby })).toEqual([]);
    expect(await syntaxFaults(parser, { path: 'a.sh', text: bash })).toEqual([]);
  });

  it.each([
    ['a.c', '#ifdef A\nvoid f(int a) {\n#elif defined(B)\nvoid f(long a) {\n#else\nvoid f(void) {\n#endif\n}\n'],
    ['a.h', '#ifdef __cplusplus\nextern "C" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n'],
    [
      'a.c',
      'void f() {\n# if A\n  if (a) {\n# else\n  for (;;) {\n#   if B\n    if (b) {\n#   endif\n# endif\n#if B\n}\n#endif\n}}\n',
    ],
    ['a.c', 'int x = f(1,\n#ifndef A\n 2);\n#else\n 3);\n#endif\n'],
    ['a.c', '#if 0\n a { (\n#endif\nint x;\n'],
    ['a.cs', '#if A\nnamespace X {\n#else\nnamespace Y {\n#endif\nclass B { }\n}\n'],
  ])('takes brackets in the branches of a conditional for alternatives in %s: %j', async (path, text) => {
    expect(await syntaxFaults(parser, { path, text })).toEqual([]);
    expect(await syntaxFaults(parser, { path, text: `${text}}\n` })).not.toEqual([]);
    expect(await syntaxFaults(parser, { path, text: `${text}int a = f(;\n` })).not.toEqual([]);
    expect(await syntaxFaults(parser, { path, text: `${text}/* a\n` })).not.toEqual([]);
  });

  it('asks for the brackets of C# before it calls its newest syntax broken', async () => {
    const text = 'class A {\n  void M(params ReadOnlySpan<int> a, int b) { F(this, [a], @"\\", """ { " """); }\n';
    expect(await syntaxFaults(parser, { path: 'a.cs', text: `${text}}\n` })).toEqual([]);
    expect(await syntaxFaults(parser, { path: 'a.cs', text })).not.toEqual([]);
  });

  it('asks a second parser before it calls difficult types broken', async () => {
    const text = 'type Bound<S> = {\n  (): State<S>\n  <U>(selector: (state: State<S>) => U): U\n} & S\n';
    expect(await syntaxFaults(parser, { path: 'a.ts', text })).toEqual([]);
  });
});
