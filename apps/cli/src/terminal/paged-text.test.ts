import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('paged-text.ts', import.meta.url).href;

/** Writes `lines` at a terminal of ten rows, and tells whether the reader was still there. */
async function shown(lines: number, env: Record<string, string>): Promise<string> {
  const program = `
    const { openPagedText } = await import('${MODULE}');
    const paged = openPagedText();
    let isRead = true;
    for (let line = 1; line <= ${lines} && isRead; line++) isRead = await paged.write('line ' + line + '\\n');
    await paged.end();
    console.log(isRead ? 'read' : 'left');`;
  const node = `stty rows 10 cols 40; exec "$NODE" --input-type=module --eval "$PROGRAM"`;
  const { stdout } = await promisify(execFile)('script', ['--quiet', '--return', '--command', node, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', NODE: process.execPath, PROGRAM: program, ...env },
  });
  return stdout.replaceAll('\r', '');
}

const MARKING = "sed 's/^/paged /'";

it('shows what does not fit the terminal in the pager, and the rest where it is', async () => {
  const long = await shown(12, { SLUICE_PAGER: MARKING, PAGER: 'false' });
  expect(long).toBe(`${Array.from({ length: 12 }, (_, line) => `paged line ${line + 1}\n`).join('')}read\n`);
  expect(await shown(3, { PAGER: MARKING })).toBe('line 1\nline 2\nline 3\nread\n');
});

it('writes nothing more when the user has left the pager', async () => {
  const text = await shown(1_000_000, { PAGER: 'head -2' });
  expect(text).toBe('line 1\nline 2\nleft\n');
});

it.each(['no-such-pager --fancy', '', 'cat'])('writes directly with %j as the pager', async (pager) => {
  expect(await shown(12, { PAGER: pager })).toMatch(/^line 1\n[\s\S]*line 12\nread\n$/);
});

it('says when the pager fails, and how to do without it', async () => {
  expect(await shown(12, { SLUICE_PAGER: 'false' })).toContain('The pager "false" failed (1). Set another one:');
});
