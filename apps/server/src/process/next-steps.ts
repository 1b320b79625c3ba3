interface ServerFacts {
  readonly url: string;
  /** How the command is called here, e.g. `sluice`. */
  readonly command: string;
  /** Whether somebody has an account; null if unknown. */
  readonly hasAccounts: boolean | null;
  readonly registration: 'open' | 'first-user' | 'closed';
}

/** What a person at the terminal does next with a server that listens. */
export function nextSteps({ url, command, hasAccounts, registration }: ServerFacts): string {
  const canRegister = registration === 'open' || (registration === 'first-user' && hasAccounts !== true);
  const logIn = `${command} login --url ${url}`;
  const steps: [string, string][] = [
    ...(canRegister ? [['make an account', `${logIn} --register`] as [string, string]] : []),
    ...(hasAccounts === false ? [] : [['log in', logIn] as [string, string]]),
    ['read and try the API', `${url}/api/docs`],
    ['stop', 'Ctrl-C'],
  ];
  const width = Math.max(...steps.map(([name]) => name.length));
  return steps.map(([name, how]) => `  ${name.padEnd(width)}  ${how}\n`).join('');
}
