import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface MailServer extends AsyncDisposable {
  /** For SMTP_URL, with the user and the password that it wants. */
  readonly url: string;
  /** The received e-mails, with unfolded headers. */
  readonly mails: readonly string[];
}

const USER = 'sluice';
const PASSWORD = 'the password of the mail server';

/** A mail server on loopback that takes everything from who logs in. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD ? done(null, { user: USER }) : done(new Error('Wrong password')),
    onData: (stream, _session, done) =>
      void text(stream).then((mail) => {
        mails.push(mail.replaceAll(/\r\n[ \t]+/g, ' '));
        done();
      }),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    mails,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
