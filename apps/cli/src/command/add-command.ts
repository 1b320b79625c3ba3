import { type Command, InvalidArgumentError } from 'commander';
import { ownCommand } from '../terminal/environment.ts';
import { shellWord } from '../terminal/shell-word.ts';

export interface CommandHelp {
  readonly description: string;
  /** Shown above everything else. */
  readonly examples: readonly string[];
  /** Shown at the end. */
  readonly notes?: string;
}

/** Adds a command, or a group of commands, with its help. */
export function addCommand(parent: Command, usage: string, { description, examples, notes }: CommandHelp): Command {
  const command = parent.command(usage).description(description).addHelpText('before', renderExamples(examples));
  return notes === undefined ? command : command.addHelpText('after', `\n${notes}`);
}

export function renderExamples(examples: readonly string[]): string {
  return `Examples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
}

/** The call that runs `command`, as a shell repeats it with `more` at its end. */
export function repeatedCall(command: Command, more: string): string {
  let program = command;
  while (program.parent !== null) program = program.parent;
  return [ownCommand(), ...program.args.map(shellWord), more].join(' ');
}

/** Parses the value of an option that takes a positive integer. */
export function positiveInteger(text: string): number {
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number > 0) return number;
  throw new InvalidArgumentError('It must be a positive integer.');
}

/** Collects the values of an option that can be given several times. */
export function repeated(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
