interface ServerFacts {
  readonly url: string;
  /** How the command is called here, e.g. `sluice`. */
  readonly command: string;
  /** Whether somebody has an account; null if unknown. */
  readonly hasAccounts: boolean | null;
  /** Whether it serves the console. */
  readonly hasConsole: boolean;
  readonly registration: 'open' | 'first-user' | 'invite' | 'closed';
}

/** What a person at the terminal does next with a server that listens. */
export function nextSteps({ url, command, hasAccounts, hasConsole, registration }: ServerFacts): string {
  const canRegister = registration === 'open' || (registration !== 'closed' && hasAccounts !== true);
  const logIn = `${command} login --url ${url}`;
  const steps: [string, string][] = [
    ...(hasConsole ? [['open in a browser', url] as [string, string]] : []),
    ...(canRegister ? [['make an account', `${logIn} --register`] as [string, string]] : []),
    ...(hasAccounts === false ? [] : [['log in', logIn] as [string, string]]),
    ...(hasConsole ? [] : [['read and try the API', `${url}/api/docs`] as [string, string]]),
    ['stop', 'Ctrl-C'],
  ];
  const width = Math.max(...steps.map(([name]) => name.length));
  return steps.map(([name, how]) => `  ${name.padEnd(width)}  ${how}\n`).join('');
}
