import { exitCode, exitCodeMeaning } from '../terminal/exit-code.ts';

/** Variables that the command itself reads. Those of the server are in docs/configuration.md. */
const variables = {
  SLUICE_URL: 'the server to use (default: that of the last login)',
  SLUICE_TOKEN: 'API token to use on that server, instead of a session',
  SLUICE_TIMEOUT: 'timeout of a request in seconds (30)',
  DATA_DIR: 'folder of local runs (default: ~/.local/share/sluice)',
  XDG_CONFIG_HOME: 'folder of the configuration and the aliases, in sluice/ (default: ~/.config)',
  XDG_STATE_HOME: 'folder of the sessions and of texts that were not sent, in sluice/ (default: ~/.local/state)',
  XDG_DATA_HOME: 'folder of local runs, in sluice/ (default: ~/.local/share)',
  'GIT_EDITOR, VISUAL, EDITOR': 'editor for texts, in the order of git, with core.editor after the first',
  'SLUICE_PAGER, PAGER': 'program that shows long output at a terminal (less); empty: none',
  'TERM, CI': 'no status line with TERM=dumb, or with any value of CI',
  BROWSER: 'program that opens pages for --web and login --codehost',
  NO_COLOR: 'no colours, with any value',
  FORCE_COLOR: 'colours also without a terminal; 0: none',
  NODE_EXTRA_CA_CERTS: 'file with the certificates of a private authority',
  'HTTPS_PROXY, NO_PROXY': 'proxy for requests to a server, with NODE_USE_ENV_PROXY=1',
} as const;

const pad = (text: string, width: number) => text.padEnd(width);

/** Pages of `sluice help` that are about no single command. */
export const helpTopics: Readonly<Record<string, () => string>> = {
  environment: () =>
    [
      'Variables of the command:',
      ...Object.entries(variables).map(([name, meaning]) => `  ${pad(name, 28)}${meaning}`),
      '',
      'Local runs and "sluice serve" also read MODEL and every other variable of docs/configuration.md, from several places:',
      'list them with "sluice config".',
      '',
    ].join('\n'),
  'exit-codes': () =>
    [
      'Exit codes:',
      ...Object.entries(exitCode).map(
        ([name, code]) => `  ${pad(String(code), 5)}${exitCodeMeaning[name as keyof typeof exitCode]}`,
      ),
      '',
    ].join('\n'),
};

/** Shown below the help of every command. */
export const LEARN_MORE = `
Learn more:
  sluice help environment    the variables that it reads
  sluice help exit-codes     what its exit codes mean
  docs/command.md            in the source of Sluice; a server describes its API at URL/api/docs
  Report a bug where you got Sluice from, with the output of "sluice --version" and "sluice doctor".
`;
