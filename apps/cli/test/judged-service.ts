import { type Judge, startJudge } from './judge.ts';
import { type Service, startService, type Terminal } from './terminal.ts';

export interface JudgedService extends AsyncDisposable {
  /** Its address is the judge's, and so it says of itself. */
  readonly service: Service;
  readonly judge: Judge;
}

/** A real server in a process of its own, behind the judge. Who ends the terminal ends the server. */
export async function startJudgedService(terminal: Terminal, env: Record<string, string> = {}): Promise<JudgedService> {
  const judge = await startJudge();
  const service = await startService(terminal, { PUBLIC_URL: judge.url, ...env });
  judge.standBefore(service.url);
  return { service: { ...service, url: judge.url }, judge, [Symbol.asyncDispose]: () => judge[Symbol.asyncDispose]() };
}
