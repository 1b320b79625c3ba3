import { Argument, type Command } from 'commander';
import { addCommand } from './add-command.ts';

type Shell = 'bash' | 'zsh' | 'fish';

export function addCompletionCommand(program: Command): void {
  addCommand(program, 'completion', {
    description: 'print a script that completes commands and options in a shell',
    examples: [
      'source <(sluice completion bash)                              in ~/.bashrc',
      `sluice completion zsh > "\${fpath[1]}/_sluice"                once`,
      'sluice completion fish > ~/.config/fish/completions/sluice.fish',
    ],
  })
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(['bash', 'zsh', 'fish']))
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)));
}

interface Level {
  /** The command words so far, such as `issues list`; empty at the top. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** The completion script of a shell. It lists all commands and options, so that pressing Tab does not start `sluice`. */
export function completionScript(program: Command, shell: Shell): string {
  return scripts[shell](levelsOf(program));
}

function levelsOf(command: Command, path: readonly string[] = []): Level[] {
  const { commands, options } = command;
  const words = [
    ...commands.map((one) => ({ word: one.name(), description: one.description() })),
    ...options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : [])),
    { word: '--help', description: 'display help for command' },
  ];
  return [{ path: path.join(' '), words }, ...commands.flatMap((one) => levelsOf(one, [...path, one.name()]))];
}

const scripts: Readonly<Record<Shell, (levels: readonly Level[]) => string>> = {
  bash: (levels) => `${renderFunctions(levels, 'bash')}
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path
  path="$(_sluice_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  mapfile -t COMPREPLY < <(compgen -W "$(_sluice_words "$path")" -- "$current")
  [ \${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _sluice sluice
`,
  zsh: (levels) => `#compdef sluice
${renderFunctions(levels, 'zsh')}
_sluice() {
  local -a found
  found=(\${=$(_sluice_words "$(_sluice_path "\${(@)words[2,CURRENT-1]}")")})
  compadd -- $found || _files
}
if [ "$funcstack[1]" = "_sluice" ]; then _sluice "$@"; else compdef _sluice sluice; fi
`,
  fish: (levels) =>
    [
      'function __sluice_at',
      '  set -l path',
      '  for word in (commandline -opc)[2..-1]',
      '    switch "$path $word"',
      ...levels
        .filter(({ path }) => path !== '')
        .map(({ path }) => `      case ${quoted(stepTo(path))}; set path ${quoted(path)}`),
      '    end',
      '  end',
      '  test "$path" = "$argv[1]"',
      'end',
      ...levels.flatMap(({ path, words }) =>
        words.map(({ word, description }) => {
          const candidate = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
          return `complete -c sluice -n ${quoted(`__sluice_at ${quoted(path)}`)} ${candidate} -d ${quoted(description)}`;
        }),
      ),
      '',
    ].join('\n'),
};

/** The path so far and the next word, as the scripts' `case` compares them. */
function stepTo(path: string): string {
  return path.includes(' ') ? path : ` ${path}`;
}

/** The functions that bash and zsh share: the command that the words before the cursor name, and the words after it. */
function renderFunctions(levels: readonly Level[], shell: Shell): string {
  const inner = levels.filter(({ path }) => path !== '');
  return `# completion of sluice for ${shell}
_sluice_path() {
  local path="" word
  for word in "$@"; do
    case "$path $word" in
${inner.map(({ path }) => `      ${quoted(stepTo(path))}) path=${quoted(path)} ;;`).join('\n')}
    esac
  done
  printf '%s' "$path"
}
_sluice_words() {
  case "$1" in
${levels.map(({ path, words }) => `    ${quoted(path)}) printf '%s' ${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
