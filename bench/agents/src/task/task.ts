import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';

const seconds = z.number().positive();

/** `task.toml` as Harbor describes it; its `metadata` is free, and what this bench needs is there. */
const taskToml = z.looseObject({
  schema_version: z.string(),
  task: z.looseObject({ name: z.string(), description: z.string().default('') }),
  metadata: z.looseObject({
    repository: z.string(),
    base_commit: z.string(),
    date: z.iso.date(),
    language: z.string(),
    setup_command: z.string().optional(),
    test_command: z.string().optional(),
    allow_hosts: z.array(z.string()).default([]),
  }),
  verifier: z.looseObject({ timeout_sec: seconds }),
  agent: z.looseObject({ timeout_sec: seconds }),
  environment: z.looseObject({ cpus: z.number(), memory_mb: z.number(), storage_mb: z.number() }),
});

/** A task: an instruction, the repository that it is about, hidden tests and a solution. */
export interface Task {
  readonly id: string;
  readonly folder: string;
  readonly instruction: string;
  /** The files at the base, without their history. */
  readonly files: string;
  readonly repository: string;
  readonly baseCommit: string;
  /** The day on which the change was made in public: a model trained later may know it. */
  readonly date: string;
  readonly language: string;
  readonly setupCommand: string | null;
  readonly testCommand: string | null;
  readonly allowHosts: readonly string[];
  readonly agentMs: number;
  readonly verifierMs: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

const SECOND_MS = 1_000;
const MIB = 1_024 ** 2;

/** Reads a task's folder. @throws Error that names the file and what is wrong with it */
export function readTask(folder: string): Task {
  const file = join(folder, 'task.toml');
  const parsed = taskToml.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const { task, metadata, verifier, agent, environment } = parsed.data;
  return {
    id: task.name.replace(/^.*\//, ''),
    folder,
    instruction: readFileSync(join(folder, 'instruction.md'), 'utf8'),
    files: join(folder, 'environment/repo'),
    repository: metadata.repository,
    baseCommit: metadata.base_commit,
    date: metadata.date,
    language: metadata.language,
    setupCommand: metadata.setup_command ?? null,
    testCommand: metadata.test_command ?? null,
    allowHosts: metadata.allow_hosts,
    agentMs: agent.timeout_sec * SECOND_MS,
    verifierMs: verifier.timeout_sec * SECOND_MS,
    memoryBytes: environment.memory_mb * MIB,
    diskBytes: environment.storage_mb * MIB,
  };
}

/** The tasks below a folder, by name. @throws Error when there is none, or one cannot be read */
export function readTasks(folder: string): Task[] {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  if (names.length === 0) throw new Error(`There is no task in ${folder}.`);
  return names.sort().map((name) => readTask(join(folder, name)));
}
