import type { Command } from 'commander';

type Shell = 'bash' | 'zsh' | 'fish';

interface Place {
  /** The commands up to here, e.g. `issues list`; empty at the top. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly told: string }[];
}

/** A script for `shell`, made of the commands as they are: nothing is asked of the command when Tab is pressed. */
export function completionScript(program: Command, shell: Shell): string {
  return scripts[shell](placesOf(program));
}

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const { commands, options } = command;
  const words = [
    ...commands.map((one) => ({ word: one.name(), told: one.description() })),
    ...options.flatMap(({ long, description }) => (long ? [{ word: long, told: description }] : [])),
    { word: '--help', told: 'show how it is used' },
  ];
  return [{ path: path.join(' '), words }, ...commands.flatMap((one) => placesOf(one, [...path, one.name()]))];
}

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: (places) => `${shared(places, 'bash')}
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path
  path="$(_sluice_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  mapfile -t COMPREPLY < <(compgen -W "$(_sluice_words "$path")" -- "$current")
  [ \${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _sluice sluice
`,
  zsh: (places) => `#compdef sluice
${shared(places, 'zsh')}
_sluice() {
  local -a found
  found=(\${=$(_sluice_words "$(_sluice_path "\${(@)words[2,CURRENT-1]}")")})
  compadd -- $found || _files
}
if [ "$funcstack[1]" = "_sluice" ]; then _sluice "$@"; else compdef _sluice sluice; fi
`,
  fish: (places) =>
    [
      'function __sluice_at',
      '  set -l path',
      '  for word in (commandline -opc)[2..-1]',
      '    switch "$path $word"',
      ...places
        .filter(({ path }) => path !== '')
        .map(({ path }) => `      case ${quoted(stepTo(path))}; set path ${quoted(path)}`),
      '    end',
      '  end',
      '  test "$path" = "$argv[1]"',
      'end',
      ...places.flatMap(({ path, words }) =>
        words.map(({ word, told }) => {
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
          return `complete -c sluice -n ${quoted(`__sluice_at ${quoted(path)}`)} ${what} -d ${quoted(told)}`;
        }),
      ),
      '',
    ].join('\n'),
};

/** The path so far and the word that makes the next one of it, with a blank between. */
function stepTo(path: string): string {
  return path.includes(' ') ? path : ` ${path}`;
}

/** What bash and zsh say alike: which command the words before the cursor name, and which words follow on it. */
function shared(places: readonly Place[], shell: Shell): string {
  const inner = places.filter(({ path }) => path !== '');
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
${places.map(({ path, words }) => `    ${quoted(path)}) printf '%s' ${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
