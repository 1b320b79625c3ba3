import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../apps/cli/src/program.ts';
import { faultOfCall, faultOfMention } from './fault-of-call.ts';
import { type Block, readPage } from './markdown-page.ts';
import { sceneOf } from './scenes.ts';
import { openScratchReader } from './scratch-reader.ts';
import { shellCalls } from './shell-calls.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 }); // a build, and whole pipelines on a busy machine

const root = new URL('../../', import.meta.url).href;
const checkout = fileURLToPath(root);
const built = mkdtempSync(join(tmpdir(), 'sluice-docs-'));
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: object };
const known = { program: await createProgram('0.0.0', () => {}), scripts: new Set(Object.keys(scripts)) };

const namesIn = (folder: string) => readdirSync(join(checkout, folder)).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...namesIn('docs').map((name) => `docs/${name}`)].map((path) => readPage(path, root));
/** Whose links and mentions are looked at too; what they show is for those who work on Sluice. */
const others = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...namesIn('docs/adr').map((name) => `docs/adr/${name}`)];
const everyPage = [...pages, ...others.map((path) => readPage(path, root))];
const shell = (blocks: readonly Block[]) => blocks.filter(({ language }) => language === 'sh');
const places = (blocks: readonly Block[]) => blocks.map(({ place, marks }) => `${place}: ${marks.notRun}`).join('\n  ');

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(checkout, 'scripts/build.ts'), '--out', built]);
});
afterAll(() => {
  rmSync(built, { recursive: true, force: true });
  const all = pages.flatMap(({ blocks }) => shell(blocks));
  const parsed = all.filter(({ marks }) => marks.notRun !== null);
  console.log(
    `${all.length - parsed.length} blocks of commands ran, ${parsed.length} were only parsed:\n  ${places(parsed)}`,
  );
});

describe.each(pages)('$path', ({ path, blocks }) => {
  const commands = shell(blocks);

  it('names its blocks of commands "sh", so that they are run', () => {
    expect(
      blocks.filter(({ language }) => /^(bash|shell|console|zsh|)$/.test(language)).map(({ place }) => place),
    ).toEqual([]);
  });

  it.skipIf(!commands.some(({ marks }) => marks.notRun === null))('says what is true: its commands do it', async () => {
    await using reader = await openScratchReader({ checkout, built }, sceneOf(path));
    for (const block of commands.filter(({ marks }) => marks.notRun === null)) {
      const { code, output, expected } = await reader.run(block);
      expect(code, `${block.place} ended otherwise:\n${output}`).toBe(block.marks.exitCode);
      if (expected !== null) expect(output, block.place).toMatch(expected);
    }
  });

  it.skipIf(commands.length === 0)('has commands that a shell can read', () => {
    for (const { text, place } of commands) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      expect(status, `${place}: ${stderr}`).toBe(0);
    }
  });

  it.skipIf(!blocks.some(({ language }) => language === 'json'))('has JSON that can be read', () => {
    for (const { text } of blocks.filter(({ language }) => language === 'json')) JSON.parse(text);
  });

  it('calls commands and options that there are', () => {
    const faults = commands.flatMap(({ text, place }) =>
      shellCalls(text).map((call) => ({ call: call.join(' '), place, fault: faultOfCall(call, known) })),
    );
    expect(faults.filter(({ fault }) => fault !== null)).toEqual([]);
  });
});

describe.each(everyPage)('$path', ({ path, links, codeSpans }) => {
  it('mentions commands and options that there are', () => {
    const faults = codeSpans.map(({ text, place }) => ({ text, place, fault: faultOfMention(text, known) }));
    expect(faults.filter(({ fault }) => fault !== null)).toEqual([]);
  });

  it.skipIf(links.length === 0)('links to what is there', () => {
    const broken = links.filter(({ target }) => !/^(https?|mailto):/.test(target) && !leads(path, target));
    expect(broken).toEqual([]);
  });
});

it('lists every page of docs/ in its index', () => {
  const index = everyPage.find(({ path }) => path === 'docs/README.md')?.links.map(({ target }) => target) ?? [];
  expect(namesIn('docs').filter((name) => name !== 'README.md' && !index.includes(name))).toEqual([]);
});

/** Whether a link of a page leads somewhere: a file or a folder, and a heading in it where one is named. */
function leads(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? from : new URL(file, new URL(from, root)).href.slice(root.length);
  if (!existsSync(join(checkout, found))) return false;
  return anchor === undefined || readPage(found, root).anchors.has(anchor);
}
