/** The command that fetches a branch and shows it, safe to paste into a shell whatever the branch is called. */
export function switchCommand(branch: string): string {
  const name = /^[\w./-]+$/.test(branch) ? branch : `'${branch.replaceAll("'", `'\\''`)}'`;
  return `git fetch origin ${name} && git switch ${name}`;
}
