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
    '# Copy it to .env and uncomment what you change; the environment takes precedence over .env.',
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

Environment variables configure everything. A \`.env\` file in the server's working directory is read too; the environment takes precedence.
The configuration is checked at start, and all problems are listed at once. An empty variable counts as not set.
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
