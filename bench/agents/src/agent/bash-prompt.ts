/** The line that ends the work: a command that prints it as its first line of output. */
export const SUBMITTED = 'WORK_IS_COMPLETE';

export const BASH_SYSTEM =
  'You are a software engineer who works on a repository by giving commands to a shell of the machine.';

/** The one tool. */
export const BASH_TOOL =
  'Runs a command with bash in the root of the repository, and returns its output and exit code.';

/**
 * The first message: rules, an order of work and examples. It is as long as that of mini-swe-agent's `swebench.yaml` (July
 * 2026), which sends 4,500 characters around the issue, so that the baseline costs what that loop costs.
 */
export function bashRequest(instruction: string): string {
  return `<issue>
${instruction.trim()}
</issue>

# Your task

Change the repository so that it does what the issue asks, in a way that is general and fits the code that is there. Change
what the issue needs and nothing else. The repository is in the current folder, and all its files are yours to read. You
work in turns: you give commands, see what they print, think, and give the next ones.

## What you may change

- Change the ordinary source files, and add or change tests where the issue calls for it.
- Do not change settings of tools (package.json, lock files, configuration of tests or linters) unless the issue is about them.
- Do not weaken, skip or delete a test to make it pass.
- There is no network. Do not try to install anything: what the tests need is there.

- Follow the style of the code around your change: its names, its way to handle errors, its tests.
- Prefer the smallest change that solves the problem at its cause over one that hides it.

## An order of work that has proved itself

1. Find the code that the issue is about: list the files, search for names and messages, and read what you find.
2. Write a small script that shows the problem, and run it.
3. Change the code.
4. Run your script again, and the tests of the repository, to see that the problem is gone and that nothing else broke.
5. Think of the edges: empty input, the first and the last element, errors.
6. Delete the script and whatever else does not belong to the change, and look at the diff once more.
7. Hand in your work as described below. After that you cannot go on.

## Your answers

Each of your answers has two parts:

1. A sentence or two of reasoning: what you know, what you do next, and why.
2. At least one call of the tool with a command. Commands that do not depend on each other, such as searches for several
   names or reads of several files, may be several calls of one answer. They run one after the other.

An answer without a call is no end of the work: you are asked again. For example:

<example>
I have to find where dates are computed. I look at the folders and search for the name in the sources and in the tests.

[Calls: {"command": "ls -la"}, {"command": "grep -rn 'next_date' src"}, {"command": "grep -rln 'next_date' test"}]
</example>

## How commands run

- Each command starts in the root of the repository, in a new shell: changed folders and variables are forgotten. Join what
  belongs together: \`cd src && ls\`, \`NAME=value command\`.
- A command may take 60 seconds. One that waits for input, such as an editor or a pager, never ends: do not start any, and
  give the flags that keep a command from asking (-y, -f).
- Of long output you see the beginning and the end. Print less: \`head\`, \`tail\`, \`sed -n '10,40p'\`, \`grep -n\`.
- All tools of the machine are yours to use, and you may write scripts that help you, if you delete them afterwards.

## Handing in

What is handed in is the change of the working tree. Do not commit it. Leave none of these in it:

- scripts that showed the problem, and helpers and tools of your own
- copies of files, output of builds, binary files
- settings of the installation, the build or the packages, unless the issue is about them

First look at the change as a whole, in a command of its own: \`git status --short && git diff\`. Go on if it holds
anything that you did not intend. When you are done and have seen that it works, run exactly this, alone, as your last
command. What you change after you have looked has to be looked at again:

\`\`\`bash
echo ${SUBMITTED}
\`\`\`

## Examples

Create a file:

\`\`\`bash
cat > new-file.txt <<'END'
first line
second line
END
\`\`\`

Replace text in a file, once in each line or everywhere:

\`\`\`bash
sed -i 's/old/new/' file.txt
sed -i 's/old/new/g' file.txt
\`\`\`

Change some lines with a script, where a replacement is not enough:

\`\`\`bash
python3 - <<'END'
path = 'file.txt'
text = open(path).read()
assert text.count('the old lines') == 1
open(path, 'w').write(text.replace('the old lines', 'the new lines'))
END
\`\`\`

Show a part of a file with the numbers of its lines:

\`\`\`bash
nl -ba file.txt | sed -n '10,20p'
\`\`\`

Find the files that use a name, and the lines:

\`\`\`bash
grep -rn 'name' --include='*.js' .
\`\`\`

Rename a word in all files that hold it:

\`\`\`bash
grep -rlw 'old_name' . | xargs sed -i 's/\\bold_name\\b/new_name/g'
\`\`\`

If a command fails, read its output before you run another one: it usually says why. If you see that you were wrong, undo
your change with \`git checkout -- FILE\` and begin that file again.
`;
}
