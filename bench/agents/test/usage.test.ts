import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { openModel } from '../src/agent/open-model.ts';
import { benchCommand } from '../src/command/bench-command.ts';
import { economyOptions } from '../src/command/economy-options.ts';
import { makeTasksCommand } from '../src/command/make-tasks-command.ts';
import { reviewPageCommand, sumUpCommand } from '../src/command/rubric-commands.ts';
import { runCommand } from '../src/command/run-command.ts';
import { readDataset } from '../src/predictions/dataset.ts';
import { linesIn } from '../src/run/lines-in.ts';
import { readTasks } from '../src/task/task.ts';
import { parseJson } from '../src/usage/read-json.ts';
import { UsageError } from '../src/usage/usage-error.ts';
import { makeHistory } from './history.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-usage-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const file = join(scratch(), name);
  writeFileSync(file, text);
  return file;
}

/** The lines that are printed from now on. */
function printed(name: 'stdout' | 'stderr'): string[] {
  const lines: string[] = [];
  vi.spyOn(process[name], 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  return lines;
}

/** The message about a command that is used wrongly. */
async function told(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return expect.unreachable('it was taken');
}

it.each([
  ['{"a": x}', 1],
  ['{"a": "b",\n"c": x,\n"a long name, so that the message of the engine is cut": 1}', 2],
  ['{\n"a": 1,}', 2],
  ['[1,\n2,\n', 2],
  ['', 1],
  ['[\n1,\nnulx]', 3],
])('names the line at which a text is no JSON: %j', (text, line) => {
  expect(() => parseJson(text, z.unknown(), { file: 'a.json', line: null })).toThrow(`a.json, line ${line}: not valid`);
});

it('names the file, and the line where there is one, of whatever it cannot read', async () => {
  const dataset = written('rows.jsonl', '\n{"instance_id": oops}\n');
  expect(await told(() => readDataset(dataset))).toContain(`${dataset}, line 2: not valid JSON`);
  const rows = written('rows.jsonl', '{"instance_id":"../a","repo":"../etc","base_commit":"main"}\n');
  expect(await told(() => readDataset(rows))).toMatch(/line 1:[\s\S]*instance_id[\s\S]*repo[\s\S]*base_commit/);
  expect(await told(() => readDataset(join(root, 'none.jsonl')))).toBe(`There is no file ${join(root, 'none.jsonl')}.`);
  expect(await told(() => readDataset(root))).toBe(`${root} cannot be read (EISDIR).`);

  const lines = written('trials.jsonl', '{"a":1}\n{"b":1}\n{"cut');
  expect(await told(() => linesIn(lines, z.object({ a: z.number() })))).toContain(`${lines}, line 2: `);

  const run = scratch();
  writeFileSync(join(run, 'result.json'), '{"schema": 1,\n"made_at": }\n');
  expect(await told(() => reviewPageCommand(['--run', run]))).toContain(`${run}/result.json, line 2: `);
  writeFileSync(join(run, 'result.json'), '{"schema": 1}');
  expect(await told(() => sumUpCommand(['--run', run, 'answers.json']))).toMatch(/result\.json: [\s\S]*trials/);

  const texts = written('texts.json', '{\n"abc": 7\n}');
  const given = ['--repo', makeHistory(scratch()), '--test', 'true', '--out', scratch(), '--texts'];
  expect(await told(() => makeTasksCommand([...given, texts]))).toContain(`${texts}: `);
  const broken = written('texts.json', '{\n"abc"\n}');
  expect(await told(() => makeTasksCommand([...given, broken]))).toContain(`${broken}, line 3: `);
});

it('says which task cannot be read, and that a folder holds none', async () => {
  const tasks = scratch();
  expect(await told(() => runCommand(['--tasks', tasks, '--out', scratch()]))).toContain(`no task in ${tasks}.`);
  expect(await told(() => readTasks(join(tasks, 'none')))).toContain(`no task in ${join(tasks, 'none')}.`);
  const file = join(tasks, 'one/task.toml');
  mkdirSync(join(tasks, 'one'));
  expect(await told(() => readTasks(tasks))).toBe(`There is no file ${file}.`);
  writeFileSync(file, 'schema_version = "1.1"\n[task\n');
  expect(await told(() => readTasks(tasks))).toContain(`${file}, line 2: `);
  writeFileSync(file, 'schema_version = "1.1"\n');
  expect(await told(() => readTasks(tasks))).toMatch(/task\.toml: [\s\S]*metadata/);
  cpSync(fileURLToPath(new URL('../fixtures/tasks/ring-order/task.toml', import.meta.url)), file);
  expect(await told(() => readTasks(tasks))).toBe(`There is no file ${join(tasks, 'one/instruction.md')}.`);
});

it.each([
  [['--help'], 0, ['run ', 'make-tasks ', '--allow-hosts', 'review-page ']],
  [['-h'], 0, ['predict ']],
  [['run', '--help'], 0, ['--cut-off']],
  [['sum-up', '-h'], 0, ['ANSWERS.json']],
  [[], 2, ['COMMAND', 'make-tasks ']],
  [['toString'], 2, ['There is no command "toString".', 'make-tasks ']],
  [['run', '--bogus'], 2, ["Unknown option '--bogus'. --help lists the options."]],
  [['run', '--model', 'builtin'], 2, ['"builtin" is not a model that can be asked.']],
  [['run', '--model', 'nonsense'], 2, ['"nonsense" is neither']],
  [['make-tasks', '--repo', '.', '--test', 'true', '--since', 'nonsense'], 2, ['--since takes a day', '"nonsense"']],
  [['make-tasks', '--ready', '--repo', '.'], 2, ['--ready brings its own tasks and commands: leave out --repo']],
  [['sum-up', '--run', '/nowhere', 'a.json'], 2, ['There is no result in /nowhere']],
])('says how it is used, or what is wrong with it: %j', async (args, code, parts) => {
  const [out, err] = [printed('stdout'), printed('stderr')];
  expect(await benchCommand(args)).toBe(code);
  const [said, silent] = code === 0 ? [out, err] : [err, out];
  for (const part of parts) expect(said.join('')).toContain(part);
  expect(silent).toEqual([]);
});

it('asks no list of models, since a run compares agents on one', () => {
  const list = 'compatible/a, compatible/b';
  expect(() => openModel(list, { MODEL_BASE_URL: 'http://127.0.0.1:1/v1' })).toThrow(UsageError);
});

it('takes the options of the economy, or says what is wrong with them', async () => {
  const [out, err] = [printed('stdout'), printed('stderr')];
  expect(await economyOptions(['--context-tokens', '32768'])).toEqual({ contextTokens: 32_768, folder: undefined });
  expect([out, err]).toEqual([[], []]);
  expect(await economyOptions(['-h'])).toBe(0);
  expect(out.join('')).toContain('--context-tokens NUMBER');
  expect(await economyOptions(['--context-tokens', 'abc'])).toBe(2);
  expect(await economyOptions(['--bogus'])).toBe(2);
  expect(err).toEqual([
    '--context-tokens takes a whole number from 1, not "abc".\n',
    "Unknown option '--bogus'. --help lists the options.\n",
  ]);
});
