import type { createProgram } from '../../apps/cli/src/program.ts';
import type { Call } from './shell-calls.ts';

type Command = ReturnType<typeof createProgram>;
type Option = Command['options'][number];

interface Known {
  readonly program: Command;
  /** The scripts of package.json. */
  readonly scripts: ReadonlySet<string>;
}

/** The fault of a call of `sluice` or of a script of ours, compared with their definitions; null when there is none. */
export function faultOfCall(call: Call, { program, scripts }: Known): string | null {
  const [first = '', second = '', third = ''] = call;
  if (first === 'npm' && second === 'run' && !scripts.has(third)) return `there is no script "${third}"`;
  const args = argumentsOf(call);
  return args === null ? null : faultOfArguments(program, args, true);
}

/** The same of what stands in a sentence, where what must follow may be left out. */
export function faultOfMention(text: string, { program, scripts }: Known): string | null {
  const words = text.split(' ');
  if (words[0] === 'npm' && words[1] === 'run') return scripts.has(words[2] ?? '') ? null : `no script "${words[2]}"`;
  return words[0] === 'sluice' && words.length > 1 ? faultOfArguments(program, words.slice(1), false) : null;
}

/** The arguments that `sluice` gets, by whichever way it is called; null for another program. */
function argumentsOf(call: Call): readonly string[] | null {
  if (call[0] === 'sluice') return call.slice(1);
  if (call.slice(0, 4).join(' ') === 'npm run sluice --') return call.slice(4);
  return call[0] === 'node' && call[1]?.endsWith('/sluice.js') === true ? call.slice(2) : null;
}

function faultOfArguments(program: Command, args: readonly string[], whole: boolean): string | null {
  let command = program;
  let at = 0;
  for (let next = sub(command, args[at]); next !== undefined; next = sub(command, args[at])) {
    command = next;
    at += 1;
  }
  if (command === program && args[at] === 'help') return null;
  // A group with options of its own is a command as well.
  const isCommand = command !== program && command.options.length > 0 && /^(?:-.*)?$/.test(args[at] ?? '');
  if (command.commands.length > 0 && !isCommand) {
    const isAsked = args[at] === undefined ? !whole : /^--(help|version)$/.test(args[at] ?? '');
    return isAsked || /^[A-Z…]+$/.test(args[at] ?? '') ? null : `"${args[at] ?? ''}" is not a command there`;
  }
  const given = new Set<Option>();
  let words = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--help' || arg === '-h') return null;
    if (!/^-./.test(arg)) {
      words += 1;
      continue;
    }
    const [name] = arg.split('=');
    const option = command.options.find(({ long, short }) => long === name || short === name);
    if (option === undefined) return `there is no option ${name}`;
    given.add(option);
    if (option.required && !arg.includes('=')) at += 1;
  }
  const { registeredArguments: taken } = command;
  if (words > taken.length && taken.at(-1)?.variadic !== true) return `it takes ${taken.length} words, not ${words}`;
  if (!whole) return null;
  if (words < taken.filter(({ required }) => required).length) return 'a word is missing';
  const missing = command.options.find((option) => option.mandatory && !given.has(option));
  return missing === undefined ? null : `${missing.long} is missing`;
}

function sub(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find((one) => one.name() === word) as Command | undefined;
}
