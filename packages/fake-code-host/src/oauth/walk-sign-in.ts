/**
 * Goes through the host's pages as a browser does: signs in as `login`, says yes or no, and gives back the address
 * that the host sends the browser to.
 *
 * @throws Error with the page's text when the host does not send it anywhere
 */
export async function walkSignIn(
  authorizationUrl: string,
  who: { readonly login: string; readonly deny?: boolean },
): Promise<string> {
  const signIn = await fetch(new URL('/login', authorizationUrl), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ login: who.login, return_to: '/login/oauth/authorize' }),
  });
  const cookie = (signIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const asked = await fetch(authorizationUrl, { redirect: 'manual', headers: { cookie } });
  const answer = asked.status === 200 ? await decide(authorizationUrl, { cookie, deny: who.deny === true }) : asked;
  return answer.headers.get('location') ?? fail(answer);
}

async function decide(url: string, { cookie, deny }: { cookie: string; deny: boolean }): Promise<Response> {
  const body = new URLSearchParams({ decision: deny ? 'no' : 'yes' });
  return await fetch(url, { method: 'POST', redirect: 'manual', headers: { cookie }, body });
}

async function fail(answer: Response): Promise<never> {
  throw new Error(`The code host answered ${answer.status}: ${await answer.text()}`);
}
