import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import type { Finding } from './finding.ts';
import { dataFolderFinding, workspacesFinding } from './folder-finding.ts';
import { configurationFindings, gitFinding, sandboxFindings } from './host-findings.ts';

const run = promisify(execFile);
const SCRATCH_UID = 65_534;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice doctor '));
  chmodSync(folder, 0o755);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Root may write everywhere, so the look is taken as another user where the tests are root. */
async function findingOfAScratchUser(dataDir: string): Promise<Finding> {
  const isRoot = process.getuid?.() === 0;
  const program = `
    const { dataFolderFinding } = await import(${JSON.stringify(new URL('./folder-finding.ts', import.meta.url).href)});
    ${isRoot ? `process.setgid(${SCRATCH_UID}); process.setuid(${SCRATCH_UID});` : ''}
    process.stdout.write(JSON.stringify(await dataFolderFinding(${JSON.stringify(dataDir)})));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout) as Finding;
}

describe('the data folder', () => {
  it('is fine if it is writable', async () => {
    expect(await dataFolderFinding(folder)).toMatchObject({ state: expect.stringMatching(/ok|warning/) });
    expect((await dataFolderFinding(folder)).detail).toMatch(/ GiB free$/);
  });

  it('is fine if it can be created, and the check does not create it', async () => {
    expect((await dataFolderFinding(join(folder, 'a/b'))).detail).toContain('(created at the first start)');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is a problem if this user cannot write to it', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o555 });
    expect(await findingOfAScratchUser(closed)).toEqual({
      subject: 'data folder',
      state: 'problem',
      detail: `${closed} is not writable (EACCES)`,
      fix: 'set DATA_DIR to a folder that this user can write to',
    });
    expect(await findingOfAScratchUser(join(closed, 'new'))).toMatchObject({ state: 'problem' });
  });

  it('is a problem if a file is in its place', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await dataFolderFinding(join(folder, 'file'))).toMatchObject({ state: 'problem' });
    expect(await dataFolderFinding(join(folder, 'file/below'))).toMatchObject({ state: 'problem' });
  });
});

describe('the folder of working trees', () => {
  const finding = (workspacesDir: string, databaseUrl: string | null = null) =>
    workspacesFinding({ dataDir: folder, workspacesDir, databaseUrl });

  it('is reported if commands could fill the disk of the database', async () => {
    expect((await finding(join(folder, 'workspaces'))).detail).toContain('on the file system of the database');
    expect((await finding(join(folder, 'workspaces'), 'postgres://db')).detail).not.toContain('of the database');
    expect((await finding('/dev/shm/workspaces')).detail).not.toContain('of the database');
  });

  it('is a problem if it cannot be created', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await finding(join(folder, 'file/below'))).toMatchObject({
      state: 'problem',
      fix: 'set WORKSPACES_DIR to a folder that this user can write to',
    });
  });
});

describe('git', () => {
  const fakeGit = (script: string) => {
    writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', folder);
  };

  it('is found on PATH', async () => {
    expect(await gitFinding()).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^git version 2\./) });
  });

  it('is a problem where it is missing', async () => {
    vi.stubEnv('PATH', folder);
    expect(await gitFinding()).toMatchObject({ state: 'problem', detail: 'is not on PATH' });
  });

  it.each([
    ['1.99.0', 'problem'],
    ['2.36.6', 'problem'],
    ['2.37.0', 'warning'],
    ['2.38.9', 'warning'],
    ['2.39.0', 'ok'],
    ['2.100.1', 'ok'],
    ['3.0.0', 'ok'],
  ])('of version %s is judged: %s', async (version, state) => {
    fakeGit(`echo git version ${version}`);
    expect(await gitFinding()).toMatchObject({ state });
  });

  it('reports a broken program as broken, not as missing', async () => {
    fakeGit('exit 3');
    expect(await gitFinding()).toMatchObject({ state: 'problem', detail: '"git --version" fails' });
  });
});

describe('the configuration', () => {
  it('is shown when it is good', () => {
    const { config, findings } = configurationFindings(() => parseConfig({ PORT: '0' }));
    expect(config?.port).toBe(0);
    expect(findings).toEqual([
      { subject: 'configuration', state: 'ok', detail: 'listens on 127.0.0.1:0, registration open', fix: null },
    ]);
  });

  it('has one finding for each of its problems', () => {
    const { config, findings } = configurationFindings(() => parseConfig({ PORT: 'x', SESSION_SECRET: 'hunter2' }));
    expect(config).toBeNull();
    expect(findings.map(({ state, detail }) => `${state} ${detail.split(':')[0]}`)).toEqual([
      'problem PORT',
      'problem SESSION_SECRET',
    ]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  it('is not blamed for an internal error', () => {
    const bug = new TypeError('bug');
    expect(() =>
      configurationFindings(() => {
        throw bug;
      }),
    ).toThrow(bug);
  });
});

describe('the sandbox', () => {
  const works = { kind: 'bwrap', usable: true, problem: null, gaps: [], readPaths: [] };

  it('is fine when bubblewrap works', () => {
    expect(sandboxFindings(works).map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(sandboxFindings({ ...works, readPaths: ['/opt/a'] })[1]?.detail).toBe('/usr, /opt/a');
  });

  it('warns of every limit that this host cannot enforce', () => {
    const findings = sandboxFindings({ ...works, gaps: ['no memory limit', 'no process limit'] });
    expect(findings.filter(({ state }) => state === 'warning').map(({ detail }) => detail)).toEqual([
      'no memory limit',
      'no process limit',
    ]);
  });

  it('warns when it is switched off', () => {
    expect(sandboxFindings({ ...works, kind: 'none' })[0]).toMatchObject({ state: 'warning', fix: 'unset SANDBOX' });
  });

  it('is a problem when it cannot work', () => {
    const findings = sandboxFindings({
      ...works,
      usable: false,
      problem: 'bwrap is missing: apt-get install bubblewrap',
    });
    expect(findings).toMatchObject([{ state: 'problem', detail: 'bwrap is missing: apt-get install bubblewrap' }]);
  });
});
