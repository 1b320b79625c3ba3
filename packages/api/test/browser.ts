import type { Answer, RunningApi } from './start-api.ts';

/** Keeps cookies as a browser does: by name and path, until they end. */
export interface Browser {
  /** Names and values of the cookies that it has, by path. */
  readonly cookies: ReadonlyMap<string, { value: string; path: string }>;
  call(method: string, path: string, options?: { json?: unknown; accept?: string }): Promise<Answer>;
  /** The cookie that it would send to a path. */
  cookieFor(path: string): string;
  setCookie(pair: string): void;
}

export function openBrowser(api: Pick<RunningApi, 'call'>): Browser {
  const cookies = new Map<string, { value: string; path: string }>();
  const cookieFor = (path: string) =>
    [...cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .sort(([, a], [, b]) => b.path.length - a.path.length)
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  const setCookie = (line: string) => {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const name = pair.slice(0, pair.indexOf('='));
    const path = attributes.find((one) => one.startsWith('Path='))?.slice(5) ?? '/';
    cookies.delete(name);
    if (!attributes.includes('Max-Age=0')) cookies.set(name, { value: pair.slice(name.length + 1), path });
  };
  return {
    cookies,
    cookieFor,
    setCookie,
    call: async (method, path, { json, accept = 'application/json' } = {}) => {
      const cookie = cookieFor(path);
      const headers = { accept, ...(cookie === '' ? {} : { cookie }) };
      const answer = await api.call(method, path, { headers, ...(json === undefined ? {} : { json }) });
      for (const line of answer.headers.getSetCookie()) setCookie(line);
      return answer;
    },
  };
}
