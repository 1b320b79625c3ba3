import { randomInt } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ControlGroup, ControlGroupLimits, ControlGroups } from '@sluice/core';

interface Place {
  readonly version: 1 | 2;
  readonly controllers: readonly Controller[];
  /** Our own group's folder. */
  readonly folder: string;
}

/** The file that each controller is told its limit by. */
const limitFiles = {
  1: { memory: 'memory.limit_in_bytes', pids: 'pids.max', cpu: 'cpu.shares' },
  2: { memory: 'memory.max', pids: 'pids.max', cpu: 'cpu.weight' },
} as const;
type Controller = keyof (typeof limitFiles)[1];

/**
 * A third of what a group has by default, which is what nice 5 comes to. With less, commands hardly get on beside other
 * busy programs of the host: at a tenth their tests took six times as long.
 */
const processorShare = { 1: '335', 2: '33' } as const;

/** The group into which a service of version 2 steps down, as a group that has others below it holds no process. */
const LEAF = 'sluice-service';

/** bwrap's own two processes and the shell that starts them do not count against the command. */
const ownProcesses = 4;

/** Finds where groups can really be made, by making one. Never throws: where nothing can be made, nothing is held by groups. */
export async function findControlGroups(): Promise<ControlGroups> {
  const owner = await serviceName(process.pid);
  const places: Place[] = [];
  for (const place of await ownPlaces()) {
    const controllers = await usableControllers(place, `${owner}-try`);
    if (controllers.length > 0) places.push({ ...place, controllers });
  }
  const has = (controller: Controller) => places.some((place) => place.controllers.includes(controller));

  return {
    memory: has('memory'),
    processes: has('pids'),
    processor: has('cpu'),
    async create(limits) {
      // The same in every place, and nobody else's, whoever makes one at this moment.
      const name = `${owner}-${randomInt(2 ** 47)}`;
      const folders: string[] = [];
      const group = groupOf(places, folders);
      try {
        for (const place of places) {
          const folder = join(place.folder, name);
          await mkdir(folder);
          folders.push(folder);
          for (const [file, value, must] of settings(place, limits)) {
            await writeFile(join(folder, file), value).catch((error: unknown) => {
              if (must) throw error;
            });
          }
        }
      } catch (error) {
        await group.remove();
        throw error;
      }
      return group;
    },
    async sweep() {
      for (const place of places) {
        for (const name of await readdir(place.folder).catch(() => [])) {
          const service = /^sluice-(\d+)-\d+-(?:\d+|try)$/.exec(name);
          if (service === null || name.startsWith(`${await serviceName(Number(service[1]))}-`)) continue;
          const folder = join(place.folder, name);
          await killMembers(folder);
          await removeGroup(folder);
        }
      }
    },
  };
}

function groupOf(places: readonly Place[], folders: readonly string[]): ControlGroup {
  return {
    get joinFiles() {
      return folders.map((folder) => join(folder, 'cgroup.procs'));
    },
    async memoryKills() {
      let kills = 0;
      for (const [index, folder] of folders.entries()) {
        const place = places[index];
        if (!place?.controllers.includes('memory')) continue;
        const text = await readFile(
          join(folder, place.version === 1 ? 'memory.oom_control' : 'memory.events'),
          'utf8',
        ).catch(() => '');
        kills += Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
      }
      return kills;
    },
    async remove() {
      for (const folder of folders) await removeGroup(folder);
    },
  };
}

/** Removes a group whose processes are dead. Right after the last death the kernel answers EBUSY now and then. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const gone = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (gone) return;
    await pause(10);
  }
}

/** Kills every process of a group, and what they start meanwhile. */
async function killMembers(folder: string): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const members = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
    // A member that lies outside of our own process namespace is told as 0, which would be ourselves.
    const pids = members
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 1);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
    await pause(5);
  }
}

function settings(place: Place, limits: ControlGroupLimits): [file: string, value: string, must: boolean][] {
  const together = limits.memberAlone === true ? '0' : '1';
  const rows: [string, string, boolean][] = [];
  const files = limitFiles[place.version];
  const memory = String(limits.memoryBytes);
  if (place.controllers.includes('memory')) {
    rows.push([files.memory, memory, true]);
    if (place.version === 1) rows.push(['memory.memsw.limit_in_bytes', memory, false]);
    else rows.push(['memory.swap.max', '0', false], ['memory.oom.group', together, false]);
  }
  if (place.controllers.includes('pids')) rows.push([files.pids, String(limits.processes + ownProcesses), true]);
  if (place.controllers.includes('cpu')) rows.push([files.cpu, processorShare[place.version], true]);
  return rows;
}

/** Our own groups in every mounted hierarchy that holds memory, processes or the processor. */
async function ownPlaces(): Promise<Place[]> {
  const memberships = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).split('\n');
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')).split('\n');
  const places: Place[] = [];
  for (const mount of mounts) {
    const [before, after] = mount.split(' - ');
    const [, , , root, point] = (before ?? '').split(' ');
    const [kind, , options] = (after ?? '').split(' ');
    if (root === undefined || point === undefined) continue;
    for (const membership of memberships) {
      const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(membership) ?? [];
      if (names === undefined || path === undefined) continue;
      const below = relative(root, path);
      const own = below.startsWith('..') ? point : join(point, below);
      // Where the service has stepped down before, its groups still belong beside it.
      const folder = basename(own) === LEAF ? dirname(own) : own;
      if (kind === 'cgroup2' && names === '') {
        const text = await readFile(join(folder, 'cgroup.controllers'), 'utf8').catch(() => '');
        const controllers = text.trim().split(/\s+/).filter(isController);
        if (controllers.length > 0) places.push({ version: 2, controllers, folder });
      }
      // Version 1 may hold several in one hierarchy: cpu and cpuacct mostly are.
      const controllers = names.split(',').filter(isController);
      const mounted = (options ?? '').split(',');
      if (kind === 'cgroup' && controllers.length > 0 && controllers.every((name) => mounted.includes(name))) {
        places.push({ version: 1, controllers, folder });
      }
    }
  }
  return places;
}

function isController(name: string): name is Controller {
  return name in limitFiles[1];
}

/** The controllers that a group made here really has. */
async function usableControllers(place: Place, name: string): Promise<Controller[]> {
  const folder = join(place.folder, name);
  const usable: Controller[] = [];
  try {
    if (place.version === 2) await handDown(place);
    await mkdir(folder);
    for (const controller of place.controllers) {
      const file = join(folder, limitFiles[place.version][controller]);
      const there = await access(file, constants.W_OK).then(
        () => true,
        () => false,
      );
      if (there) usable.push(controller);
    }
  } catch {
    // None can be made.
  } finally {
    await rmdir(folder).catch(() => undefined);
  }
  return usable;
}

/**
 * Version 2 hands controllers down only from a group without processes of its own. Where the group is the service's alone (a
 * systemd unit with `Delegate=yes`), the service steps down into a leaf first; a group shared with others is left as it is.
 */
async function handDown(place: Place): Promise<void> {
  const control = join(place.folder, 'cgroup.subtree_control');
  const enabled = (await readFile(control, 'utf8')).trim().split(/\s+/);
  const missing = place.controllers.filter((name) => !enabled.includes(name));
  if (missing.length === 0) return;
  const members = (await readFile(join(place.folder, 'cgroup.procs'), 'utf8')).trim();
  if (members === String(process.pid)) {
    await mkdir(join(place.folder, LEAF), { recursive: true });
    await writeFile(join(place.folder, LEAF, 'cgroup.procs'), members);
  }
  // One at a time: the kernel refuses the processor where there are real-time processes, and the others must not suffer.
  for (const name of missing) await writeFile(control, `+${name}`).catch(() => undefined);
}

/** A group's first name: the process and the tick it started at, because ids come back, above all in containers. */
async function serviceName(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  return `sluice-${pid}-${started}`;
}
