import { SUBMITTED } from '../agent/bash-prompt.ts';
import type { EconomyFix } from './economy-fix.ts';
import type { Script } from './scripted-endpoint.ts';

/** A frugal model in the bash loop: it finds, reads, shows the problem, edits, tests, looks at the diff and hands in. */
export function bashScript(fix: EconomyFix): Script {
  const commands = commandsFor(fix);
  return ({ turn }) => {
    const { say, run } = commands[turn] ?? { say: 'Done.', run: [`echo ${SUBMITTED}`] };
    return { text: say, calls: run.map((command) => ({ tool: 'bash', input: { command } })) };
  };
}

interface Turn {
  readonly say: string;
  /** The commands, which do not depend on each other. */
  readonly run: readonly string[];
}

function commandsFor(fix: EconomyFix): readonly Turn[] {
  const find = {
    say: 'I look for the code that the issue is about.',
    run: ['ls', `grep -rnw '${fix.search}' src test`],
  };
  // One command for each file: of a longer output the middle would be missing.
  const read = (paths: readonly string[]): Turn => {
    return { say: 'I read the code and its tests.', run: paths.map((path) => `cat ${path}`) };
  };
  const show = {
    say: 'I write a script that shows the problem.',
    run: [`cat > reproduce.mjs <<'END'\n${fix.reproduction}END\nnode reproduce.mjs`],
  };
  const test = { say: 'I run the script and all tests.', run: ['node reproduce.mjs', 'node --test 2>&1 | tail -n 40'] };
  const look = { say: 'I remove the script and look at the change.', run: ['rm reproduce.mjs && git diff'] };
  if (fix.rename === null)
    return [
      find,
      read([...fix.files, ...fix.reads]),
      show,
      { say: 'Now I change the code.', run: [editCommand(fix)] },
      test,
      look,
    ];
  const { from, to } = fix.rename;
  const rename = {
    say: 'The word stands alone wherever the class is meant, so one command renames it.',
    run: [`grep -rlw '${from}' src test | xargs sed -i 's/\\b${from}\\b/${to}/g'; grep -rnw '${from}' src test | head`],
  };
  return [
    find,
    read(fix.files.slice(0, 3)),
    rename,
    { ...test, run: ['node --test 2>&1 | tail -n 40'] },
    { ...look, run: ['git diff --stat'] },
  ];
}

/** The edits as the script that such models write. */
function editCommand({ edits }: EconomyFix): string {
  const quoted = (text: string) => `"""${text.replaceAll('\\', '\\\\')}"""`;
  const lines = edits.map(({ path, from, to }) => `change('${path}', ${quoted(from)}, ${quoted(to)})`);
  return `python3 - <<'END'
def change(path, old, new):
    text = open(path).read()
    assert text.count(old) == 1
    open(path, 'w').write(text.replace(old, new))

${lines.join('\n')}
END`;
}
