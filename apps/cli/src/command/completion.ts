import { Argument, type Command, type Option } from 'commander';
import { addCommand } from './add-command.ts';

type Shell = 'bash' | 'zsh' | 'fish';

export function addCompletionCommand(program: Command): void {
  addCommand(program, 'completion', {
    description: 'print a script that completes commands, options and values in a shell',
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
  /** The paths with a second name of the last word, such as `issues ls`. */
  readonly otherPaths: readonly string[];
  readonly words: readonly {
    readonly word: string;
    readonly description: string;
    readonly hasValue: boolean;
    readonly short?: string | undefined;
  }[];
  /** The options that take a value, with their short names. */
  readonly valueOptions: readonly string[];
  readonly hasArguments: boolean;
}

/**
 * The completion script of a shell. It lists all commands and options, so that pressing Tab starts `sluice` only for values:
 * issues, repositories, statuses and files, by `sluice __complete`.
 */
export function completionScript(program: Command, shell: Shell): string {
  return scripts[shell](levelsOf(program));
}

function levelsOf(command: Command, path: readonly string[] = []): Level[] {
  const { commands, options, registeredArguments } = command;
  const takesValue = ({ required, optional }: Option) => required || optional;
  const words = [
    ...commands.map((one) => ({ word: one.name(), description: one.description(), hasValue: false })),
    ...options.flatMap((option) =>
      option.long && !option.hidden
        ? [{ word: option.long, description: option.description, hasValue: takesValue(option), short: option.short }]
        : [],
    ),
    { word: '--help', description: 'display help for command', hasValue: false },
  ];
  const valueOptions = options.filter(takesValue).flatMap(({ long, short }) => [long, short].filter((one) => !!one));
  const level = {
    path: path.join(' '),
    otherPaths: command.aliases().map((alias) => [...path.slice(0, -1), alias].join(' ')),
    words,
    valueOptions: valueOptions as string[],
    hasArguments: registeredArguments.length > 0,
  };
  return [level, ...commands.flatMap((one) => levelsOf(one, [...path, one.name()]))];
}

const scripts: Readonly<Record<Shell, (levels: readonly Level[]) => string>> = {
  bash: (levels) => `${renderFunctions(levels, 'bash')}
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path value about
  path="$(_sluice_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  COMPREPLY=()
  if ! _sluice_has_value "$path" "$previous" "$current"; then
    mapfile -t COMPREPLY < <(compgen -W "$(_sluice_words "$path")" -- "$current")
    return
  fi
  while IFS=$'\t' read -r value about; do
    case "$value" in
      :files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
      :folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
      *) COMPREPLY+=("$value") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o filenames -F _sluice sluice
`,
  zsh: (levels) => `#compdef sluice
${renderFunctions(levels, 'zsh')}
_sluice() {
  local sluice_path="$(_sluice_path "\${(@)words[2,CURRENT-1]}")" value about
  local -a found shown
  if ! _sluice_has_value "$sluice_path" "$words[CURRENT-1]" "$words[CURRENT]"; then
    found=(\${=$(_sluice_words "$sluice_path")})
    compadd -- $found
    return
  fi
  while IFS=$'\t' read -r value about; do
    case "$value" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
    esac
    found+=("$value")
    shown+=("$value  $about")
  done < <("$words[1]" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  compadd -l -d shown -- $found
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
        .map((level) => `      case ${stepsTo(level).join(' ')}; set path ${quoted(level.path)}`),
      '    end',
      '  end',
      '  test "$path" = "$argv[1]"',
      'end',
      'function __sluice_values',
      '  for line in (command sluice __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)',
      '    switch $line',
      "      case ':files'; __fish_complete_path (commandline -ct)",
      "      case ':folders'; __fish_complete_directories (commandline -ct)",
      "      case '*'; echo $line",
      '    end',
      '  end',
      'end',
      ...levels.flatMap(({ path, words, hasArguments }) => {
        const at = `complete -c sluice -n ${quoted(`__sluice_at ${quoted(path)}`)}`;
        const values = "-f -a '(__sluice_values)'";
        return [
          ...(hasArguments ? [`${at} ${values}`] : []),
          ...words.map(({ word, description, hasValue, short }) => {
            const option = `-l ${word.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}${hasValue ? ` -r ${values}` : ''}`;
            return `${at} ${word.startsWith('--') ? option : `-f -a ${word}`} -d ${quoted(description)}`;
          }),
        ];
      }),
      '',
    ].join('\n'),
};

/** The path so far and the next word, as the scripts' `case` compares them, by each name of the word. */
function stepsTo({ path, otherPaths }: Level): string[] {
  return [path, ...otherPaths].map((one) => quoted(one.includes(' ') ? one : ` ${one}`));
}

/** The functions that bash and zsh share. */
function renderFunctions(levels: readonly Level[], shell: Shell): string {
  const inner = levels.filter(({ path }) => path !== '');
  const valueOptions = levels.flatMap(({ path, valueOptions }) => valueOptions.map((one) => quoted(`${path} ${one}`)));
  const withArguments = inner.filter(({ hasArguments }) => hasArguments).map(({ path }) => quoted(path));
  return `# completion of sluice for ${shell}
_sluice_path() {
  local path_so_far="" word
  for word in "$@"; do
    case "$path_so_far $word" in
${inner.map((level) => `      ${stepsTo(level).join('|')}) path_so_far=${quoted(level.path)} ;;`).join('\n')}
    esac
  done
  printf '%s' "$path_so_far"
}
_sluice_words() {
  case "$1" in
${levels.map(({ path, words }) => `    ${quoted(path)}) printf '%s' ${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
}
_sluice_has_value() {
  case "$1 $2" in
    ${valueOptions.join('|')}) return 0 ;;
  esac
  case "$3" in -*) return 1 ;; esac
  case "$1" in
    ${withArguments.join('|')}) return 0 ;;
  esac
  return 1
}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
