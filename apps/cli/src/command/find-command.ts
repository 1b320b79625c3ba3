import type { Command } from 'commander';

/** The command that these words name, by names or aliases; null when a word names none. */
export function findCommand(program: Command, words: readonly string[]): Command | null {
  let at = program;
  for (const word of words) {
    const next = at.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) return null;
    at = next;
  }
  return at;
}

const groups: Readonly<Record<string, string>> = {
  issues: 'issue',
  members: 'member',
  notifications: 'notify',
  repos: 'repo',
  sessions: 'session',
};
const actions: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm' };

/** Gives the commands the second names that users of other tools type: `issue`, `repo`, `notify`, `ls`, `rm`. */
export function addSecondNames(program: Command): void {
  for (const group of program.commands) {
    const second = groups[group.name()] ?? actions[group.name()];
    if (second !== undefined) group.alias(second);
    if (group.commands.length > 0) addActionNames(group);
  }
}

function addActionNames(group: Command): void {
  for (const command of group.commands) {
    const second = actions[command.name()];
    if (second !== undefined) command.alias(second);
    addActionNames(command);
  }
}
