import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTestFile } from '@sluice/test-integrity';
import { stringify } from 'smol-toml';

/** What a task is made of. */
export interface TaskDraft {
  readonly id: string;
  readonly instruction: string;
  readonly repository: string;
  readonly baseCommit: string;
  readonly date: string;
  readonly language: string;
  readonly setupCommand: string | null;
  /** Run by the tests, and told to agents: a command of the repository. */
  readonly testCommand: string;
  /** The command that decides, `{files}` in it being the hidden tests without their data. */
  readonly verifyCommand: string;
  readonly allowHosts: readonly string[];
  readonly image: string;
  /** The tests as the change left them: path to content; null: it deleted the file. */
  readonly tests: ReadonlyMap<string, Buffer | null>;
  /** The rest of the change as a patch. */
  readonly solution: string;
}

// One task may take an hour of a slow model; its tests should not take longer than those of a commit.
const LIMITS = { agent: 3_600, verifier: 900, build: 900, cpus: 2, memoryMb: 4_096, storageMb: 10_240 };

/** Writes a task in Harbor's shape, besides the files of its repository, which are in `environment/repo`. */
export function writeTask(draft: TaskDraft, folder: string): void {
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, path.endsWith('.sh') ? { mode: 0o755 } : {});
  };
  write('instruction.md', draft.instruction);
  write('task.toml', tomlOf(draft));
  write('environment/Dockerfile', dockerfileOf(draft));
  if (draft.setupCommand !== null) write('environment/setup.sh', `#!/bin/sh\nset -e\n${draft.setupCommand}\n`);
  for (const [path, text] of draft.tests) if (text !== null) write(`tests/files/${path}`, text);
  write('tests/test.sh', testScript(draft));
  write('solution/change.patch', draft.solution);
  write('solution/solve.sh', `#!/bin/sh\nset -e\ngit apply "\${SOLUTION_DIR:-/solution}/change.patch"\n`);
}

function tomlOf(draft: TaskDraft): string {
  return stringify({
    schema_version: '1.1',
    task: { name: `sluice/${draft.id}`, description: draft.instruction.split('\n')[0] ?? '' },
    metadata: {
      repository: draft.repository,
      base_commit: draft.baseCommit,
      date: draft.date,
      language: draft.language,
      test_command: draft.testCommand,
      ...(draft.setupCommand !== null && { setup_command: draft.setupCommand }),
      allow_hosts: [...draft.allowHosts],
    },
    verifier: { timeout_sec: LIMITS.verifier },
    agent: { timeout_sec: LIMITS.agent },
    environment: {
      build_timeout_sec: LIMITS.build,
      cpus: LIMITS.cpus,
      memory_mb: LIMITS.memoryMb,
      storage_mb: LIMITS.storageMb,
      allow_internet: false,
    },
  });
}

function dockerfileOf({ image, setupCommand }: TaskDraft): string {
  const setup = setupCommand === null ? [] : ['COPY setup.sh /setup.sh', 'RUN sh /setup.sh'];
  return [`FROM ${image}`, 'WORKDIR /workspace', 'COPY repo .', ...setup, ''].join('\n');
}

/** Works where Harbor runs it and in this bench: the two places are variables with Harbor's paths as defaults. */
function testScript({ verifyCommand, tests }: TaskDraft): string {
  const kept = [...tests].filter(([, text]) => text !== null).map(([path]) => path);
  const deleted = [...tests].filter(([, text]) => text === null).map(([path]) => path);
  return [
    '#!/bin/sh',
    '# Puts the hidden tests into the tree and runs them. The reward is 1 when they pass, and 0 when they fail.',
    `reward=\${REWARD_FILE:-/logs/verifier/reward.txt}`,
    'echo 0 > "$reward"',
    ...(deleted.length === 0 ? [] : [`rm -f ${deleted.map(quoted).join(' ')}`]),
    ...(kept.length === 0 ? [] : [`cp -R "\${TESTS_DIR:-/tests}/files/." .`]),
    `if ( ${verifyCommand.replaceAll('{files}', kept.filter(isTestFile).map(quoted).join(' '))} ); then echo 1 > "$reward"; fi`,
    '',
  ].join('\n');
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
