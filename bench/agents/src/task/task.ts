import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { readText } from '../usage/read-json.ts';
import { UsageError } from '../usage/usage-error.ts';

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

/** Reads a task's folder. @throws UsageError that names the file and what is wrong with it */
export function readTask(folder: string): Task {
  const { task, metadata, verifier, agent, environment } = readToml(join(folder, 'task.toml'));
  return {
    id: task.name.replace(/^.*\//, ''),
    folder,
    instruction: readText(join(folder, 'instruction.md')),
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

function readToml(file: string): z.infer<typeof taskToml> {
  const parsed = taskToml.safeParse(tomlIn(file));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file}: ${z.prettifyError(parsed.error)}`);
}

function tomlIn(file: string): unknown {
  try {
    return parse(readText(file));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UsageError(`${file}, line ${error.line}: ${error.message.split('\n')[0]}`);
  }
}

/** The tasks below a folder, by name. @throws UsageError when there is none, or one cannot be read */
export function readTasks(folder: string): Task[] {
  const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  const names = entries.filter((name) => statSync(join(folder, name)).isDirectory());
  if (names.length === 0)
    throw new UsageError(`There is no task in ${folder}. A task is a folder in it, as make-tasks writes them.`);
  return names.sort().map((name) => readTask(join(folder, name)));
}
