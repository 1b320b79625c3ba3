import type { ToolResultPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { loopPattern } from './loop-pattern.ts';
import { type TranscriptMessage, transcriptMessage } from './transcript.ts';

interface Made {
  readonly tool: string;
  readonly input: unknown;
  readonly told: string;
  readonly isError?: boolean;
}

interface Turn {
  readonly calls: readonly Made[];
  /** The commit of the tree after it, where it may have changed it. */
  readonly tree?: string;
}

function messagesOf({ calls, tree }: Turn): TranscriptMessage[] {
  const content = calls.map(({ tool, input }, index) => {
    return { type: 'tool-call' as const, toolCallId: `${index}`, toolName: tool, input };
  });
  const answer = transcriptMessage('answer', { role: 'assistant', content });
  const results = calls.map(({ tool, told, isError = false }, index) => {
    const output = { type: isError ? 'error-text' : 'text', value: told } as const;
    const part: ToolResultPart = { type: 'tool-result', toolCallId: `${index}`, toolName: tool, output };
    return transcriptMessage('result', { role: 'tool', content: [part] });
  });
  return [tree === undefined ? answer : { ...answer, tree }, ...results];
}

/** Plays turns until the agent is stopped; tells after which turn that was, or null. */
function stoppedAfter(turns: readonly Turn[]): number | null {
  const transcript: TranscriptMessage[] = [];
  for (const [index, turn] of turns.entries()) {
    transcript.push(...messagesOf(turn));
    const pattern = loopPattern(transcript, ['a.js']);
    if (pattern?.isStuck) return index + 1;
    if (pattern !== null)
      transcript.push({ ...transcriptMessage('told', { role: 'user', content: 'x' }), about: 'loop' });
  }
  return null;
}

const turns = (count: number, turn: (n: number) => Turn) => Array.from({ length: count }, (_, n) => turn(n));
const run = (command: string, told: string, exitCode = 0): Made => {
  return { tool: 'run_command', input: { command }, told: `Exit code ${exitCode}, after 1.0 s.\n${told}` };
};
const write = (content: string): Made => ({
  tool: 'write_file',
  input: { path: 'a.js', content },
  told: 'Wrote a.js.',
});
const edit = (n: number): Made => {
  return { tool: 'edit_file', input: { path: 'a.js', old_text: `v${n}`, new_text: `v${n + 1}` }, told: 'Edited a.js.' };
};

const editAt = (place: string): Made => {
  return { tool: 'edit_file', input: { path: 'a.js', old_text: place, new_text: '// done' }, told: 'Edited a.js.' };
};
const patch = (n: number): Made => ({
  tool: 'apply_patch',
  input: { patch: `*** Begin Patch\n*** Update File: a.js\n@@\n near it\n-v${n}\n+v${n + 1}\n*** End Patch` },
  told: 'Applied:\na.js: 1 place',
});
const replace = (n: number): Made => ({
  tool: 'replace_in_files',
  input: { old_text: `v${n}`, new_text: `v${n + 1}` },
  told: 'Replaced 2 places in 2 files:\na.js: 1 place\nb.js: 1 place',
});

const read = (path: string, told: string): Made => ({ tool: 'read_file', input: { path }, told });
const windowOf = (start: number, count: number): Made => {
  const lines = Array.from({ length: count }, (_, index) => `${start + index}\trow ${start + index}`);
  const told = `a.js: lines ${start}-${start + count - 1} of 900\n${lines.join('\n')}`;
  return { tool: 'read_file', input: { path: 'a.js', start_line: start, end_line: start + count - 1 }, told };
};
const search = (pattern: string): Made => {
  return { tool: 'search_text', input: { pattern }, told: 'No line in the repository matches. Try a shorter pattern.' };
};
const absent = (path: string): Made => {
  const told = `"${path}" is refused: there is no such file.`;
  return { tool: 'read_file', input: { path }, told, isError: true };
};
const CHECKS = ['core', 'api', 'cli', 'web', 'db', 'worker', 'agents'];
/** The tests of each package, one in a turn, all of them green. The first tells the state of the files. */
const checked = (tree: string): Turn[] =>
  CHECKS.map((name, index) => ({
    ...(index === 0 && { tree }),
    calls: [run(`npm test -w packages/${name}`, `12 tests of ${name} passed`)],
  }));

const HEAD = '> pkg@1.0.0 test\n> vitest run\n\n RUN v3.2.4 /workspace\n';
const SETUP = 'stdout | test/setup.ts\nThe tests are connected to the database at the usual address.\n'.repeat(6);
const RED = 'not ok 1 - adds\n  expected 3, got 4';

describe('an agent that works', () => {
  it.each<[string, Turn[]]>([
    [
      'runs one failing test file after the other, all with the same long head',
      ['sum', 'mean', 'median', 'mode', 'range', 'variance', 'skew', 'odds'].map((name) => ({
        calls: [run(`npx vitest run test/${name}.test.ts`, `${HEAD}${SETUP}Error: ${name} of the list is off`, 1)],
      })),
    ],
    [
      'edits and tests in one turn, while the same test fails five times, then another one',
      turns(20, (n) => ({
        tree: `${n}`,
        calls: [editAt(`place ${n}`), run('node --test', `not ok 1 - adds ${Math.floor(n / 5)}`, 1)],
      })),
    ],
    [
      'tries one value after the other in the same line, and the test fails in other ways',
      turns(20, (n) => {
        const calls = [edit(Math.floor(n / 2)), run('node --test', `${HEAD}${SETUP}  expected 3, got ${n}`, 1)];
        return { ...(n % 2 === 0 && { tree: `${n}` }), calls: [calls[n % 2] ?? edit(n)] };
      }),
    ],
    [
      'writes a file again with more in it',
      turns(12, (n) => ({ tree: `${n}`, calls: [write('export const a = 1;\n'.repeat(n + 1))] })),
    ],
    [
      'tries one value after the other, with the same outcome',
      turns(10, (n) => ({ calls: [run(`node -e "console.log(f(${n}))"`, '1')] })),
    ],
    [
      'looks at older and older commits',
      turns(10, (n) => ({ calls: [run(`git show HEAD~${n}:a.js`, 'const a = 1;')] })),
    ],
    [
      'runs silent checks',
      [
        'tsc --noEmit',
        'eslint .',
        'prettier -c .',
        'node --check a.js',
        'git diff --check',
        'test -f a.js',
        'true',
      ].map((command) => ({ calls: [run(command, '(no output)')] })),
    ],
    [
      'runs the same checks before and after an edit, and once more after it is undone',
      [
        ...checked('base'),
        { tree: 'edited', calls: [edit(1)] },
        ...checked('edited'),
        { tree: 'base', calls: [run('git checkout a.js', '(no output)')] },
        ...checked('base'),
      ],
    ],
    [
      'reads the same files again after an edit',
      [...CHECKS, 'a', ...CHECKS].map((name) =>
        name === 'a' ? { tree: 'edited', calls: [edit(1)] } : { calls: [read(name, `export const ${name} = 1;`)] },
      ),
    ],
    [
      'looks for old names after a rename, and for files that may be there, which all are not',
      [
        ...CHECKS.map((name) => ({ calls: [search(name)] })),
        { tree: 'renamed', calls: [edit(1)] },
        ...[...CHECKS, 'docs', 'site'].map((name) => ({ calls: [absent(`conf/${name}.json`)] })),
        { tree: 'configured', calls: [edit(2)] },
        ...[...CHECKS, 'docs'].map((name) => ({
          calls: [run(`cat conf/${name}.json`, `cat: conf/${name}.json: No such file or directory`, 1)],
        })),
      ],
    ],
    [
      'reads a large file in windows that share most of their lines',
      turns(12, (n) => ({ calls: [windowOf(1 + n * 40, 100)] })),
    ],
    [
      'waits for a build',
      turns(10, (n) => ({ calls: [run('sleep 60; tail -1 build.log', `[${n * 10}/100] Compiling`)] })),
    ],
    [
      'waits for a build that its own time limit ends each time',
      turns(12, (n) => ({ calls: [run('make', `[${n * 10}/900] Compiling`, 124)] })),
    ],
    [
      'runs one red test file after the other, whose tests differ by a number',
      turns(12, (n) => ({ calls: [run(`node --test test/t${n}.test.js`, `not ok 1 - case ${n}`, 1)] })),
    ],
  ])('is not stopped when it %s', (_what, played) => {
    expect(stoppedAfter(played)).toBeNull();
  });
});

describe('an agent that goes round in circles', () => {
  it.each<[string, (n: number) => Turn]>([
    ['sleeps a little longer each time', (n) => ({ calls: [run(`sleep ${n}`, '(no output)')] })],
    ['runs the same failing command in other words', (n) => ({ calls: [run(`npm test ${'-'.repeat(n)}`, RED, 1)] })],
    ['reads the lines of a range one by one', (n) => ({ calls: [n === 0 ? windowOf(1, 40) : windowOf(n, 1)] })],
    [
      'runs the same test, which prints the time of day',
      (n) => ({ calls: [run('npm test', `12 passed\nStart at 16:30:${n + 10}`)] }),
    ],
    ['looks for ever other names that are nowhere', (n) => ({ calls: [search(`nonsense ${'x'.repeat(n)}`)] })],
    [
      'prints lines of a file that it has seen',
      (n) => ({ calls: [run(`sed -n '${n},${n + 9}p' a.js`, 'one\ntwo\nthree')] }),
    ],
    ['prints more and more of the same file', (n) => ({ calls: [run(`head -${n + 10} a.js`, 'one\ntwo\nthree')] })],
    [
      'reads a file by ever other spellings of its path',
      (n) => ({ calls: [read(`${'./'.repeat(n)}a.js`, 'one\ntwo')] }),
    ],
    [
      'lists a folder in many ways',
      (n) => ({ calls: [run(`${['ls', 'ls -a', 'find', 'dir'][n % 4]} ${'./'.repeat(n)}`, 'a.js\nb.js')] }),
    ],
    [
      'shows a file by many commands',
      (n) => ({
        calls: [run(`${['cat', 'nl', 'head -9', "sed -n '1,9p'"][n % 4]} ${'./'.repeat(n)}a.js`, 'one\ntwo')],
      }),
    ],
    ['changes the same lines by a patch', (n) => ({ tree: `${n}`, calls: [patch(n)] })],
    ['replaces in all files what it has replaced before', (n) => ({ tree: `${n}`, calls: [replace(n)] })],
    [
      'changes the same line, while the same test fails',
      (n) => ({ tree: `${n}`, calls: [edit(n), run('node --test', RED, 1)] }),
    ],
    [
      'edits and tests in one command, while the same test fails',
      (n) => ({ tree: `${n}`, calls: [run(`sed -i s/${n}/${n + 1}/ a.js; node --test`, RED, 1)] }),
    ],
    [
      'edits another place each time, while the same test fails',
      (n) => ({ tree: `${n}`, calls: [editAt(`place ${n}`), run('node --test', RED, 1)] }),
    ],
    ['writes a file again with something else', (n) => ({ tree: `${n}`, calls: [write(`version ${n};`)] })],
  ])('is stopped when it %s', (_what, turn) => {
    expect(stoppedAfter(turns(12, turn))).toBeLessThanOrEqual(10);
  });

  it('is stopped when it changes the same line and then runs a test, which fails in the same way each time', () => {
    const changes = turns(30, (n) =>
      n % 2 === 0 ? { tree: `${n}`, calls: [edit(n / 2)] } : { calls: [run('node --test', RED, 1)] },
    );
    expect(stoppedAfter(changes)).toBe(14);
  });

  it('is stopped when it looks for what is nowhere, in ever other ways, and at what it has seen', () => {
    const looks = turns(20, (n) => ({
      calls: [n % 3 === 0 ? read('a.js', 'one') : n % 3 === 1 ? search(`name ${n}`) : absent(`file ${n}`)],
    }));
    expect(stoppedAfter(looks)).toBe(11);
  });

  it('is stopped when it changes a file back and forth with the same looks between', () => {
    const flips = turns(20, (n) =>
      n % 3 === 0 ? { tree: `${n % 2}`, calls: [edit(n % 2)] } : { calls: [read(`${n % 3}`, 'one')] },
    );
    expect(stoppedAfter(flips)).toBe(15);
  });

  it('is stopped only when it does once more what it was told of', () => {
    const attempt = (n: number): Turn => ({ tree: `${n}`, calls: [editAt(`place ${n}`), run('node --test', RED, 1)] });
    const edits = turns(8, (n) => ({ tree: `edit ${n}`, calls: [editAt(`other place ${n}`)] }));
    expect(stoppedAfter([...turns(7, attempt), ...edits])).toBeNull();
    expect(stoppedAfter([...turns(7, attempt), ...edits, attempt(7)])).toBe(16);
    expect(
      stoppedAfter([...turns(7, attempt), { calls: [read('b.js', 'two')] }, ...turns(5, (n) => attempt(n + 10))]),
    ).toBeNull();
  });
});
