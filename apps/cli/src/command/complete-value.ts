import type { IssueStatus } from '@sluice/core/issue';
import type { Command, Option } from 'commander';

/** A word that the shell offers, and what it stands for. `:files` and `:folders` are for the shell to list. */
export interface Candidate {
  readonly value: string;
  readonly about?: string;
}

/** Reads from the server what a word can be. */
export interface CompletionSource {
  issues(status: readonly IssueStatus[] | null): Promise<readonly Candidate[]>;
  repos(): Promise<readonly Candidate[]>;
  sessions(): Promise<readonly Candidate[]>;
  targets(): Promise<readonly Candidate[]>;
}

/** The statuses in which a command is possible. */
const possibleIn: Readonly<Record<string, readonly IssueStatus[]>> = {
  approve: ['awaiting_approval'],
  reject: ['awaiting_approval'],
  instruct: ['awaiting_approval'],
  retry: ['failed'],
  edit: ['pending'],
  run: ['pending'],
  cancel: ['pending', 'running', 'human_review', 'awaiting_approval'],
  watch: ['pending', 'running', 'human_review', 'awaiting_approval'],
  message: ['running', 'human_review', 'awaiting_approval'],
  delete: ['completed', 'rejected', 'failed', 'cancelled'],
};

/** What the last of `words` can be: the value of an option, or an argument. The words follow `sluice` on the command line. */
export async function completeValue(
  program: Command,
  words: readonly string[],
  source: CompletionSource,
): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? '';
  const { command, name, choices } = positionOf(program, words.slice(0, -1));
  const candidates = choices?.map((value) => ({ value })) ?? (await candidatesFor(command, name, source));
  return candidates.filter(({ value }) => value.startsWith(':') || value.startsWith(current));
}

interface Position {
  readonly command: Command;
  /** The placeholder of the value, such as `repository`. */
  readonly name: string;
  readonly choices: readonly string[] | undefined;
}

function positionOf(program: Command, words: readonly string[]): Position {
  let command = program;
  let given = 0;
  let option: Option | undefined;
  for (const word of words) {
    if (word.startsWith('-')) {
      option = command.options.find(({ long, short }) => word === long || word === short);
      if (option !== undefined && !option.required && !option.optional) option = undefined;
      continue;
    }
    if (option !== undefined) {
      if (!option.variadic) option = undefined;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) given += 1;
    else command = next;
  }
  if (option !== undefined) {
    return { command, name: /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '', choices: option.argChoices };
  }
  const argument = command.registeredArguments[given];
  return { command, name: argument?.name() ?? '', choices: argument?.argChoices };
}

async function candidatesFor(command: Command, name: string, source: CompletionSource): Promise<readonly Candidate[]> {
  if (name === 'file') return [{ value: ':files' }];
  if (name === 'folder' || name === 'path-or-url') return [{ value: ':folders' }];
  // Commands on local runs have arguments of the same names.
  if (!command.options.some(({ long }) => long === '--url')) return [];
  switch (name) {
    case 'status': {
      const { issueStatuses } = await import('@sluice/core/issue');
      return issueStatuses.map((value) => ({ value }));
    }
    case 'issue':
      return await source.issues(possibleIn[command.name()] ?? null);
    case 'repository':
    case 'repository-or-number':
      return await source.repos();
    case 'session':
      return await source.sessions();
    case 'target':
      return await source.targets();
    case 'kind': {
      const { notificationKinds } = await import('@sluice/core/notification');
      return notificationKinds.map((value) => ({ value }));
    }
    case 'format': {
      const { notificationFormats } = await import('@sluice/core/notification');
      return notificationFormats.map((value) => ({ value }));
    }
    default:
      return [];
  }
}
