import type { Variable } from './variable.ts';
import { variables } from './variables.ts';

const SOURCE = 'Generated from apps/server/src/config/variables.ts by "npm run gen".';
const LINE_WIDTH = 100;

/** `.env.example`: every variable, commented out, so that a copy of it changes nothing. */
export function printEnvExample(): string {
  const entries = Object.entries<Variable>(variables).map(
    ([name, { meaning, default: usual = '', unset = usual, example }]) =>
      [...wrap(`${meaning} Default: ${unset}.`), `${name}=${quoted(example)}`].map((line) => `# ${line}`).join('\n'),
  );
  const head = [
    `# ${SOURCE}`,
    '# Copy it to .env and uncomment what you change; docs/configuration.md says what takes precedence over what.',
    '# Switches take true/false, on/off, 1/0; durations look like 30s, 15m, 12h, 7d.',
  ].join('\n');
  return `${[head, ...entries].join('\n\n')}\n`;
}

/** `docs/configuration.md`: every variable as a table. */
export function printConfigurationPage(): string {
  const rows = Object.entries<Variable>(variables).map(
    ([name, { meaning, default: usual = '', unset = usual, example }]) =>
      `| \`${name}\` | ${cell(meaning)} | ${cell(unset)} | \`${cell(example)}\` |`,
  );
  return `<!-- ${SOURCE} -->

# Configuration

Variables configure everything, the same ones for \`sluice run\`, \`demo\`, \`serve\` and \`doctor\`. Each place overrides those above it:

1. the default
2. your own file, \`~/.config/sluice/config\` (or under \`XDG_CONFIG_HOME\`)
3. \`.env\` in the current folder, unless that folder is in a git repository other than Sluice's own checkout: the \`.env\` of a repository
   is somebody's data. When it sets one of these variables, one line says that it is not read.
4. the file named by \`--env-file\`
5. the environment
6. flags such as \`--model\`

\`sluice config\` lists the variables that are set, and where; \`sluice config set NAME VALUE\` writes your own file. The files have lines
\`NAME=value\`. Relative paths in them start at the current folder. An empty value means: as if not set, whatever the places above say.

\`run\` and \`demo\` work alone, for one user, on a free port and in \`~/.local/share/sluice\`. Therefore they take \`DATA_DIR\` from the environment only,
and ignore variables that are for a server: addresses, ports and origins, other servers (Postgres, Redis, Chroma), registration, roles.

The configuration is checked at start, and all problems are listed at once.
Switches take \`true\`/\`false\`, \`on\`/\`off\`, \`1\`/\`0\`; durations look like \`30s\`, \`15m\`, \`12h\`, \`7d\`.

| name | meaning | default | example |
|---|---|---|---|
${rows.join('\n')}
`;
}

function wrap(text: string): string[] {
  return text.match(new RegExp(`.{1,${LINE_WIDTH}}(?:\\s|$)`, 'g'))?.map((line) => line.trim()) ?? [text];
}

/** In a .env file a blank or a "#" ends an unquoted value. */
function quoted(value: string): string {
  return /[\s#]/.test(value) ? `"${value}"` : value;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
