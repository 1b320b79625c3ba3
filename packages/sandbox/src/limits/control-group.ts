import { randomInt } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ControlGroup, ControlGroupLimits, ControlGroups } from '@sluice/core/workspace';

interface Hierarchy {
  readonly version: 1 | 2;
  readonly controllers: readonly Controller[];
  /** The folder of the service's group. */
  readonly folder: string;
}

/** The file that holds the limit of each controller. */
const limitFiles = {
  1: { memory: 'memory.limit_in_bytes', pids: 'pids.max', cpu: 'cpu.shares' },
  2: { memory: 'memory.max', pids: 'pids.max', cpu: 'cpu.weight' },
} as const;
type Controller = keyof (typeof limitFiles)[1];

/**
 * A third of the default weight, which corresponds to nice 5. With less, commands are starved by other busy programs of the
 * host: at a tenth, their tests took six times as long.
 */
const processorShare = { 1: '335', 2: '33' } as const;

/** The group into which the service moves under version 2, where a group with subgroups cannot hold processes. */
const LEAF = 'sluice-service';

/** bwrap's two processes and the shell that starts them do not count against the command. */
const ownProcesses = 4;

/** Finds where groups can be made, by making one. Never throws: where none can be made, no limit is enforced by groups. */
export async function findControlGroups(): Promise<ControlGroups> {
  const owner = await serviceName(process.pid);
  const hierarchies: Hierarchy[] = [];
  for (const hierarchy of await ownHierarchies()) {
    const controllers = await usableControllers(hierarchy, `${owner}-try`);
    if (controllers.length > 0) hierarchies.push({ ...hierarchy, controllers });
  }
  const has = (controller: Controller) => hierarchies.some((hierarchy) => hierarchy.controllers.includes(controller));

  return {
    memory: has('memory'),
    processes: has('pids'),
    processor: has('cpu'),
    async create(limits) {
      // The same name in every hierarchy, unique among services and concurrent calls.
      const name = `${owner}-${randomInt(2 ** 47)}`;
      const folders: string[] = [];
      const group = groupOf(hierarchies, folders);
      try {
        for (const hierarchy of hierarchies) {
          const folder = join(hierarchy.folder, name);
          await mkdir(folder);
          folders.push(folder);
          for (const [file, value, must] of settings(hierarchy, limits)) {
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
      for (const hierarchy of hierarchies) {
        for (const name of await readdir(hierarchy.folder).catch(() => [])) {
          const service = /^sluice-(\d+)-\d+-(?:\d+|try)$/.exec(name);
          if (service === null || name.startsWith(`${await serviceName(Number(service[1]))}-`)) continue;
          const folder = join(hierarchy.folder, name);
          await killMembers(folder);
          await removeGroup(folder);
        }
      }
    },
  };
}

function groupOf(hierarchies: readonly Hierarchy[], folders: readonly string[]): ControlGroup {
  return {
    get joinFiles() {
      return folders.map((folder) => join(folder, 'cgroup.procs'));
    },
    async memoryKills() {
      let kills = 0;
      for (const [index, folder] of folders.entries()) {
        const hierarchy = hierarchies[index];
        if (!hierarchy?.controllers.includes('memory')) continue;
        const text = await readFile(
          join(folder, hierarchy.version === 1 ? 'memory.oom_control' : 'memory.events'),
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

/** Removes a group whose processes are dead. Right after the last death the kernel sometimes answers EBUSY. */
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

/** Kills every process of a group, and those that they start meanwhile. */
async function killMembers(folder: string): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const members = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
    // A member outside of this process namespace is listed as 0, which kill() takes as the own process group.
    const pids = members
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 1);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Already dead.
      }
    }
    await pause(5);
  }
}

function settings(hierarchy: Hierarchy, limits: ControlGroupLimits): [file: string, value: string, must: boolean][] {
  const together = limits.memberAlone === true ? '0' : '1';
  const rows: [string, string, boolean][] = [];
  const files = limitFiles[hierarchy.version];
  const memory = String(limits.memoryBytes);
  if (hierarchy.controllers.includes('memory')) {
    rows.push([files.memory, memory, true]);
    if (hierarchy.version === 1) rows.push(['memory.memsw.limit_in_bytes', memory, false]);
    else rows.push(['memory.swap.max', '0', false], ['memory.oom.group', together, false]);
  }
  if (hierarchy.controllers.includes('pids')) rows.push([files.pids, String(limits.processes + ownProcesses), true]);
  if (hierarchy.controllers.includes('cpu')) rows.push([files.cpu, processorShare[hierarchy.version], true]);
  return rows;
}

/** The service's groups in every mounted hierarchy with a controller of memory, processes or the processor. */
async function ownHierarchies(): Promise<Hierarchy[]> {
  const memberships = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).split('\n');
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')).split('\n');
  const hierarchies: Hierarchy[] = [];
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
      // After the service has moved into its leaf, its groups are still created beside the leaf.
      const folder = basename(own) === LEAF ? dirname(own) : own;
      if (kind === 'cgroup2' && names === '') {
        const text = await readFile(join(folder, 'cgroup.controllers'), 'utf8').catch(() => '');
        const controllers = text.trim().split(/\s+/).filter(isController);
        if (controllers.length > 0) hierarchies.push({ version: 2, controllers, folder });
      }
      // Version 1 may have several controllers in one hierarchy, usually cpu and cpuacct.
      const controllers = names.split(',').filter(isController);
      const mounted = (options ?? '').split(',');
      if (kind === 'cgroup' && controllers.length > 0 && controllers.every((name) => mounted.includes(name))) {
        hierarchies.push({ version: 1, controllers, folder });
      }
    }
  }
  return hierarchies;
}

function isController(name: string): name is Controller {
  return name in limitFiles[1];
}

/** The controllers that a new group has. */
async function usableControllers(hierarchy: Hierarchy, name: string): Promise<Controller[]> {
  const folder = join(hierarchy.folder, name);
  const usable: Controller[] = [];
  try {
    if (hierarchy.version === 2) await enableControllers(hierarchy);
    await mkdir(folder);
    for (const controller of hierarchy.controllers) {
      const file = join(folder, limitFiles[hierarchy.version][controller]);
      const isWritable = await access(file, constants.W_OK).then(
        () => true,
        () => false,
      );
      if (isWritable) usable.push(controller);
    }
  } catch {
    // No group can be made.
  } finally {
    await rmdir(folder).catch(() => undefined);
  }
  return usable;
}

/**
 * Enables controllers for subgroups. Version 2 allows that only in a group without processes. If the service is alone in the
 * group (a systemd unit with `Delegate=yes`), it first moves into a leaf; a group shared with others is not changed.
 */
async function enableControllers(hierarchy: Hierarchy): Promise<void> {
  const control = join(hierarchy.folder, 'cgroup.subtree_control');
  const enabled = (await readFile(control, 'utf8')).trim().split(/\s+/);
  const missing = hierarchy.controllers.filter((name) => !enabled.includes(name));
  if (missing.length === 0) return;
  const members = (await readFile(join(hierarchy.folder, 'cgroup.procs'), 'utf8')).trim();
  if (members === String(process.pid)) {
    await mkdir(join(hierarchy.folder, LEAF), { recursive: true });
    await writeFile(join(hierarchy.folder, LEAF, 'cgroup.procs'), members);
  }
  // One at a time: the kernel refuses cpu while there are real-time processes, which must not affect the others.
  for (const name of missing) await writeFile(control, `+${name}`).catch(() => undefined);
}

/** The prefix of a group's name: process id and start time, because ids are reused, above all in containers. */
async function serviceName(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  return `sluice-${pid}-${started}`;
}
