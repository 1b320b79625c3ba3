import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { builtProgram, isSoakRun, mayMountDisks, mountSmallDisk, type SmallDisk, until } from '@sluice/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HttpSession, signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo, makeScratchRepo, type ScratchRepo } from '../scratch-repo.ts';
import { type ServiceProcess, type ServiceUser, startProcess } from '../service-process.ts';

const MIB = 2 ** 20;
/** How often the service is killed over a full disk. */
const RESTARTS = Number(process.env.DISK_RESTARTS ?? (isSoakRun ? 20 : 2));
/** Clones, indexes and the database grow by a little, whatever becomes of an attack. */
const GROWTH_BYTES = 24 * MIB;

/** Reserves what it can, then writes what it can, in large files and in small ones. It says that all went well. */
const FILL = `import os
n = 0
for size in (1 << 30, 1 << 20, 4096):
    try:
        while True:
            n += 1
            f = os.open('f%d' % n, os.O_CREAT | os.O_RDWR)
            if size == 1 << 30: os.posix_fallocate(f, 0, size)
            else: os.write(f, b'x' * size)
            os.close(f)
    except OSError as error: print(size, error, flush=True)
`;

/** The service's disk, and who runs the service: an ordinary user cannot use what ext4 keeps for root. */
const services: readonly { who: string; user: ServiceUser | undefined }[] = [
  { who: 'root', user: undefined },
  { who: 'an ordinary user', user: { uid: 50_000 + (process.pid % 10_000), gid: 50_000 + (process.pid % 10_000) } },
];

interface Scene {
  readonly disk: SmallDisk;
  readonly dataDir: string;
  start(environment?: Record<string, string>): Promise<ServiceProcess>;
  /** Lets the user that runs the service read a repository. */
  shared(repo: ScratchRepo): ScratchRepo;
}

async function openScene(user: ServiceUser | undefined): Promise<Scene> {
  const disk = mountSmallDisk({ kind: 'ext4', mebibytes: 512 });
  onTestFinished(() => disk[Symbol.dispose]());
  const dataDir = join(disk.folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const give = (path: string) => {
    if (user !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, path]);
  };
  give(dataDir);
  const program = await builtProgram('server');
  for (const folder of [dirname(program), dirname(dirname(program))]) chmodSync(folder, 0o755);
  let running: ServiceProcess | null = null;
  onTestFinished(async () => running?.kill());
  return {
    disk,
    dataDir,
    async start(environment = {}) {
      running = await startProcess({ DATA_DIR: dataDir, ALLOW_LOCAL_REPOS: 'on', ...environment }, [], {
        ...(user && { user }),
      });
      return running;
    },
    shared(repo) {
      give(dirname(repo.path));
      return repo;
    },
  };
}

async function begin(person: HttpSession, repo: ScratchRepo, settings: Record<string, string>): Promise<string> {
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path, ...settings });
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  const issue = await person.call<IssueWire>('POST', '/api/issues', { repo_id: registered.body.id, ...fixingIssue });
  expect(issue.status).toBe(201);
  return issue.body.id;
}

/** Takes what is left, as far as root may: what a command does between the last look and a kill of the service. */
function takeTheRest(folder: string): void {
  const file = openSync(join(folder, 'rest'), 'w');
  for (const piece of [Buffer.alloc(MIB), Buffer.alloc(4_096)]) {
    try {
      for (;;) writeSync(file, piece);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
  closeSync(file);
}

describe.runIf(mayMountDisks).each(services)('a disk that a command fills, with the service as $who', ({ user }) => {
  it('is freed before its issue fails, while other users continue', async () => {
    const scene = await openScene(user);
    const { url } = await scene.start();
    const attacker = await signUp(url);
    const free = scene.disk.free();
    const attack = scene.shared(makeScratchRepo({ 'value.txt': 'broken\n', 'fill.py': FILL }));
    const id = await begin(attacker, attack, { setup_command: 'python3 fill.py', test_command: 'true' });
    const failed = await attacker.reaches(id, 'failed');
    expect(failed.error).toMatchObject({ stage: 'prepare', detail: expect.stringMatching(/filled the disk/) });
    expect(scene.disk.free()).toBeGreaterThan(free - GROWTH_BYTES);
    const other = await signUp(url);
    const fixing = await begin(other, scene.shared(makeBuggyRepo()), {});
    await other.reaches(fixing, 'awaiting_approval');
    await other.call('POST', `/api/issues/${fixing}/approve`, { action: 'approve' });
    await other.reaches(fixing, 'completed');
  });

  it('is not ready while nothing can be written, and is again when there is space', async () => {
    const scene = await openScene(user);
    const { url } = await scene.start();
    await signUp(url);
    // While this process fills the disk, it answers for no connection, and the service closes the one that is kept open.
    const ready = async () => {
      const answer = await fetch(`${url}/api/health/ready`).catch(() => null);
      return answer === null ? { status: 'unknown' } : ((await answer.json()) as { status: string });
    };
    await until('it is ready', async () => (await ready()).status === 'up');
    let found = await ready();
    // What the service keeps for its own last writes is used up by them.
    await until('it is not ready', async () => {
      takeTheRest(scene.dataDir);
      found = await ready();
      return found.status === 'down';
    });
    expect(found).toMatchObject({ code: 'not_ready', checks: { database: { status: 'down' } } });
    rmSync(join(scene.dataDir, 'rest'));
    await until('it is ready', async () => (await ready()).status === 'up');
  });

  it(
    `never prevents a start, in ${RESTARTS} kills on a full disk`,
    async () => {
      const scene = await openScene(user);
      let service = await scene.start();
      let attacker = await signUp(service.url);
      const free = scene.disk.free();
      const endless = `${FILL}\nimport time\ntime.sleep(3600)\n`;
      const attack = scene.shared(makeScratchRepo({ 'value.txt': 'broken\n', 'fill.py': endless }));
      const id = await begin(attacker, attack, { setup_command: 'python3 fill.py', test_command: 'true' });
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await until('the disk fills', () => scene.disk.free() < free / 2);
        await service.kill();
        takeTheRest(scene.dataDir);
        expect(scene.disk.free()).toBe(0);
        execFileSync('mv', [join(scene.dataDir, 'rest'), join(scene.dataDir, 'workspaces/trees', id, 'rest')]);
        service = await scene.start();
        attacker = attacker.at(service.url);
        await signUp(service.url);
      }
      const failed = await attacker.reaches(id, 'failed');
      expect(failed.error?.detail).toMatch(/filled the disk/);
      expect(scene.disk.free()).toBeGreaterThan(free - GROWTH_BYTES);
    },
    60_000 + RESTARTS * 60_000,
  );
});
