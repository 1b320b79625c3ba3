import { aPlanFor } from './memory-context.ts';
import { call } from './scripted-coder.ts';
import type { ScriptedTurn } from './scripted-model.ts';

/*
 * The work of an agent that is no loop, turn by turn: it explores, reads large files in parts, edits and tests, tries what
 * fails, undoes a change to see a test fail, waits for a build.
 */

export type Calls = NonNullable<ScriptedTurn['calls']>;

export interface CommandEnd {
  readonly output: string;
  readonly exitCode: number;
  /** The file that it writes. */
  readonly writes?: string;
}

/** What a run has done so far. */
export class Work {
  /** The text of its own file. */
  text = 'start\n';
  /** Counts up, so that nothing is the same twice where it would not be. */
  step = 0;
  /** What the commands do, in their order. */
  readonly ends: CommandEnd[] = [];

  next(): number {
    this.step += 1;
    return this.step;
  }

  /** A command that prints this. */
  run(command: string, output: string, end: Partial<CommandEnd> = {}): Calls[number] {
    this.ends.push({ output, exitCode: 0, ...end });
    return call(`c${this.ends.length}`, 'run_command', { command });
  }

  /** A run of all tests in which these fail. */
  test(failing: readonly string[], says = 'expected 3, got 4'): Calls[number] {
    const report = failing.map((name, index) => `not ok ${index + 1} - ${name}\n  ${says}`);
    return this.run('node --test', [...report, `# fail ${failing.length}`].join('\n'), {
      exitCode: failing.length > 0 ? 1 : 0,
    });
  }

  /** A run in which the test fails that is worked on. */
  red(): Calls[number] {
    return this.test([`does step ${Math.floor(this.step / 4)}`]);
  }

  /** Replaces what its own file says so far. */
  edit(to: string): Calls[number] {
    const from = this.text;
    this.text = to;
    return call('e', 'edit_file', { path: 'own.js', old_text: from, new_text: to });
  }

  /** Adds a line to its own file. */
  grow(): Calls[number] {
    return this.edit(`${this.text}line ${this.next()} of the function\n`);
  }
}

const FILES = 40;
const PLANNED = 60;
const source = (index: number) =>
  Array.from({ length: 30 }, (_, line) => `  const value${line} = compute${index % 7}(${line * index});\n`).join('');
const numbered = (count: number, entry: (index: number) => readonly [string, string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));

export const files: Readonly<Record<string, string>> = {
  'own.js': 'start\n',
  'large.js': Array.from({ length: 1_300 }, (_, line) => `export const row${line} = [${line}, ${line * 3}];\n`).join(
    '',
  ),
  ...numbered(FILES, (index) => [`src/f${index}.js`, source(index)]),
  ...numbered(PLANNED, (index) => [`lib/p${index}.js`, `export const oldName = ${index};\n`]),
};

const planned = (index: number) => `lib/p${index % PLANNED}.js`;
export const plan = aPlanFor([
  'own.js',
  ...Array.from({ length: PLANNED }, (_, index) => planned(index)),
  ...Array.from({ length: PLANNED }, (_, index) => `new/n${index}.js`),
  ...Array.from({ length: PLANNED }, (_, index) => `test/n${index}.test.js`),
]);

const read = (path: string, range: object = {}) => call('r', 'read_file', { path, ...range });
const write = (path: string, content: string) => call('w', 'write_file', { path, content });
const outside = (path: string, content: string) =>
  call('o', 'write_file', { path, content, outside_plan_reason: 'The issue needs it.' });
const search = (pattern: string) => call('s', 'search_text', { pattern, literal: true });
const turns = (count: number, turn: (n: number) => Calls): Calls[] => Array.from({ length: count }, (_, n) => turn(n));
/** Turns in groups. */
const groups = (count: number, group: (n: number) => Calls[]): Calls[] =>
  Array.from({ length: count }, (_, n) => group(n)).flat();
const CHECKS = ['core', 'api', 'cli', 'web', 'db', 'worker', 'agents'];

const looking: Readonly<Record<string, (work: Work) => Calls[]>> = {
  'reads file after file': (work) => turns(12, () => [read(`src/f${work.next() % FILES}.js`)]),
  'explores a large tree, folder by folder': (work) =>
    groups(4, () => {
      const n = work.next();
      return [
        [work.run(`ls packages/p${n}`, `index${n}.js\npackage.json\nsrc`)],
        [work.run(`ls packages/p${n}/src`, `main${n}.js\npart${n}.js`)],
        [read(`src/f${n % FILES}.js`), search(`value${n % 30} `)],
      ];
    }),
  'explores folders that all look alike': (work) =>
    turns(10, () => [work.run(`ls packages/q${work.next()}`, 'package.json\nsrc\ntest\ntsconfig.json')]),
  'reads a large file in parts that overlap': (work) =>
    turns(10, () => {
      const from = (work.next() % 60) * 20;
      return [read('large.js', { start_line: from + 1, end_line: from + 25 })];
    }),
  'scrolls through a large file in windows that share most of their lines': (work) =>
    turns(10, () => {
      const from = (work.next() % 30) * 40;
      return [read('large.js', { start_line: from + 1, end_line: from + 100 })];
    }),
  'explores by commands': (work) =>
    turns(8, () => {
      const n = work.next();
      return [work.run(`sed -n '${n},${n + 40}p' src/f${n % FILES}.js`, `text of ${n}\nwith ${n * 7} words`)];
    }),
  'searches for one name after the other, most of which are somewhere': (work) =>
    turns(10, () => [
      search(work.next() % 3 === 0 ? `absent${work.step}` : `value${work.step % 30} = compute${work.step % 7}`),
    ]),
  'looks through the history, commit by commit': (work) =>
    turns(10, () => [work.run(`git show HEAD~${work.next()}`, `commit ${work.step}a5\n-  return ${work.step};`)]),
  'guesses paths, some of which are not there': (work) => {
    const n = work.next();
    return [
      [read(`lib/g${n}.js`), read(`lib/h${n}.js`)],
      [call('l', 'list_files', { folder: '.' })],
      [read(`src/f${(n * 7) % FILES}.js`)],
    ];
  },
  'looks for eight old names after a rename, of which none is left': (work) => [
    [work.grow()],
    ...turns(8, (n) => [search(`oldName${n}`)]),
  ],
  'looks for eight files that a repository may have': (work) => [
    [work.grow()],
    ...turns(8, (n) => [read(`conf/c${n}.json`)]),
  ],
  'looks for eight files by a command each': (work) => [
    [work.grow()],
    ...turns(8, (n) => [
      work.run(`cat conf/c${n}.json`, `cat: conf/c${n}.json: No such file or directory`, { exitCode: 1 }),
    ]),
  ],
};

const testing: Readonly<Record<string, (work: Work) => Calls[]>> = {
  'edits, and the test fails in the same way five times, then another one': (work) => {
    const n = work.next();
    return groups(5, () => [[work.grow()], [work.test([`bug ${n}`])]]);
  },
  'edits and tests in one turn, and the same test fails five times, then another one': (work) => {
    const n = work.next();
    return turns(5, () => [work.grow(), work.test([`bug ${n}`])]);
  },
  'hunts a hard bug, and other tests fail with each try': (work) =>
    groups(20, (n) => [[work.grow()], [work.test(['adds', `case ${n}`])]]),
  'hunts a hard bug, and tests come and go': (work) =>
    groups(20, () => {
      const n = work.next() * 7;
      return [[work.grow()], [work.test(['a', 'b', 'c', 'd', 'e', 'f'].filter((_, bit) => (n >> bit) % 2 === 1))]];
    }),
  'hunts a hard bug, and reads on between tries that all fail alike': (work) =>
    groups(6, () => [[work.grow()], [read(`src/f${work.next() % FILES}.js`)], [work.test(['adds'])]]),
  'sees a test fail with another message each time': (work) =>
    groups(16, () => [[work.grow()], [work.test(['adds'], `expected 3, got ${work.step}`)]]),
  'tries one value after the other in the same line': (work) =>
    groups(16, () => {
      const n = work.next();
      return [[work.edit(`const limit = ${n};\n`)], [work.test(['adds'], `limit ${n} is too low by ${900 - n}`)]];
    }),
  'tunes a number by a benchmark': (work) =>
    groups(12, () => {
      const n = work.next();
      return [[work.edit(`const size = ${n};\n`)], [work.run('node bench.js', `${n * 37} operations`)]];
    }),
  'repairs what a compiler tells, error by error': (work) =>
    groups(16, (n) => [
      [work.grow()],
      [work.run('tsc --noEmit', `own.js(${n},1): error TS2304: Cannot find name 'part${work.step}'.`, { exitCode: 2 })],
    ]),
  'repairs what a linter tells, until there is less': (work) =>
    groups(16, (n) => [
      [work.grow()],
      [work.run('eslint .', `own.js\n  no-unused-vars\n${40 - n} problems`, { exitCode: 1 })],
    ]),
  'works beside a test that is red at the base, and more pass each time': (work) =>
    groups(16, () => [
      [work.grow()],
      [work.run('npm test', ` FAIL  old.test.js > old\n Tests  1 failed | ${work.step} passed`, { exitCode: 1 })],
    ]),
  'runs one red test file after the other': (work) =>
    turns(16, () => [
      work.run(`node --test test/t${work.next()}.test.js`, `not ok 1 - case ${work.step}\n# fail 1`, { exitCode: 1 }),
    ]),
  'runs a test several times, because it is flaky': (work) => [
    [work.grow()],
    ...turns(4, (n) => [
      n % 2 === 0 ? work.test(['sometimes']) : work.run('node --test', `ok 1 - sometimes\n# seed ${work.next()}`),
    ]),
  ],
  'runs a test twice to see whether it is stable': (work) => [
    [work.grow()],
    [work.test([`does step ${work.step}`])],
    [work.test([`does step ${work.step}`])],
    [work.run('git diff --stat', ` own.js | ${work.step} +`)],
  ],
  'undoes a change to see its test fail, and does it again': (work) => {
    const before = work.text;
    const change = work.grow();
    const after = work.text;
    const green = () => work.run('node --test', 'ok 1 - adds\n# fail 0');
    return [
      [change],
      [green()],
      [work.edit(before)],
      [work.red()],
      [work.edit(after)],
      [green()],
      [work.run('git diff', `+line ${work.step}`)],
    ];
  },
  'bisects by hand': (work) =>
    groups(8, (n) => {
      const commit = `${work.next()}c0ffee`;
      const text = `state at ${commit}\n`;
      return [
        [work.run(`git show ${commit}:own.js`, text), work.edit(text)],
        [n % 2 === 0 ? work.test(['regressed'], `at ${commit}`) : work.run('node --test', 'ok 1 - regressed')],
      ];
    }),
  'runs the same green checks after each edit': (work) => [
    [work.grow()],
    ...CHECKS.map((name) => [work.run(`npm test -w packages/${name}`, '12 passed')]),
  ],
  'adds a log, runs, and takes it out again': (work) => {
    const before = work.text;
    return [
      [work.edit(`${before}console.log(${work.next()});\n`)],
      [work.run('node own.js', `value ${work.step * 3}`)],
      [work.edit(before)],
      [work.grow()],
      [work.red()],
    ];
  },
  'waits for a build': (work) => turns(8, () => [work.run('cat build.log', `[${work.next()}/900] compiled`)]),
  'waits for a slow build that its time limit ends': (work) => [
    ...turns(12, () => [work.run('make -j2', `[${work.next()}/900] compiled`, { exitCode: 124 })]),
    [work.run('make -j2', 'built')],
    [write(`new/n${work.step % PLANNED}.js`, 'export {};\n')],
  ],
};

const writing: Readonly<Record<string, (work: Work) => Calls[]>> = {
  'lets a function grow, edit by edit': (work) => turns(10, () => [work.grow()]),
  'renames in sixty files of the plan, while a test stays red': (work) =>
    groups(30, (n) => {
      const rename = (path: string) => call('e', 'edit_file', { path, old_text: 'oldName', new_text: `newName${n}` });
      return [[rename(planned(2 * n))], [rename(planned(2 * n + 1))], [work.test(['imports newName'])]];
    }),
  'renames in sixty files of the plan by commands': (work) =>
    turns(40, (n) => [
      work.run(`sed -i s/oldName/newName/ ${planned(n)} && npx tsc`, 'error TS2304: oldName', {
        exitCode: 2,
        writes: planned(n),
      }),
    ]),
  'writes the new files of the plan': () => turns(40, (n) => [write(`new/n${n}.js`, `export const n = ${n};\n`)]),
  'writes test and code of one part after the other': (work) =>
    groups(10, (n) => [
      [write(`test/n${n}.test.js`, `test(${n});\n`)],
      [work.test([`part ${n}`])],
      [write(`new/n${n}.js`, `export const n = ${n};\n`)],
      [work.run('node --test', `ok 1 - part ${n}`)],
    ]),
  'writes a long page, section by section': (work) => turns(10, () => [work.grow(), read('own.js')]),
  'reads its file again after each edit': (work) => groups(6, () => [[work.grow()], [read('own.js')]]),
  'looks at the tree after each edit': (work) =>
    groups(5, () => [
      [work.grow()],
      [work.run('git status', 'On branch sluice/x\n\tmodified:   own.js')],
      [read('own.js')],
    ]),
  'formats after each edit': (work) =>
    groups(8, () => [
      [work.grow()],
      [work.run('npx prettier --write . > format.log', '(own.js)', { writes: 'format.log' })],
    ]),
  'tries things out in a few scratch files, and goes on': (work) => {
    const n = work.next();
    return [
      [outside(`scratch${n}.js`, `print(${n})`)],
      [work.run(`node scratch${n}.js`, `${n * 3}`)],
      [outside(`scratch${n}.js`, `print(${n}, 2)`)],
      [work.run(`node scratch${n}.js`, `${n * 3} 2`)],
      [call('d', 'delete_file', { path: `scratch${n}.js`, outside_plan_reason: 'It was a trial.' })],
      [work.grow()],
      [work.red()],
    ];
  },
  'hunts a bug by a script outside the plan, which fails in other ways': (work) => [
    [outside('repro.js', `check(${work.next()})`)],
    ...groups(9, () => [[work.grow()], [work.run('node repro.js', `Error: ${work.step} is not 3`, { exitCode: 1 })]]),
  ],
  'changes seven callers outside the plan, and then the next part of it': (work) => [
    ...turns(7, () => [outside(`src/f${work.next() % FILES}.js`, `call(${work.step});\n`)]),
    [work.grow()],
    [work.red()],
  ],
  'misses a text, reads the file and edits it': (work) => {
    const wrong = call('e', 'edit_file', { path: 'own.js', old_text: `not there ${work.next()}`, new_text: 'x' });
    return [[wrong], [read('own.js')], [work.grow()], [work.red()]];
  },
};

/** Kinds of honest work, each for as many turns as it takes. */
export const episodes: Readonly<Record<string, (work: Work) => Calls[]>> = { ...looking, ...testing, ...writing };
