import { untilAborted } from '@sluice/core/async';
import type { AttemptResult } from '@sluice/core/notification';
import { shortened, visibleLine } from '@sluice/core/text';
import { createTransport } from 'nodemailer';

export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with the user and the password if the server wants them. */
  readonly url: string;
  /** The sender, such as `Sluice <sluice@example.com>`. */
  readonly from: { readonly name: string; readonly address: string };
}

export interface Email {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** @throws the signal's reason when it fires first */
  send(email: Email, signal: AbortSignal): Promise<AttemptResult>;
  close(): void;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 12_000; // an attempt has 15 s
const CONNECTIONS = 5;
const MAX_REASON_LENGTH = 200;

/** Sends e-mails by SMTP. Connections are kept for a while. */
export function createMailer({ url, from }: SmtpSettings): Mailer {
  const transport = createTransport({
    ...connection(url),
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 0, // what fails is tried again by the schedule of its delivery
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send({ messageId, to, headers, ...content }, signal) {
      const began = performance.now();
      const sending = transport.sendMail({
        ...content,
        from,
        to: { name: '', address: to },
        // The same in each attempt, so that a mail server can tell repetitions.
        messageId: `<${messageId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      });
      try {
        const { response } = await untilAborted(sending, signal);
        return { kind: 'accepted', status: codeIn(response), latencyMs: performance.now() - began };
      } catch (error) {
        signal.throwIfAborted();
        return failure(error, performance.now() - began);
      }
    },
    close: () => transport.close(),
  };
}

/** Whether a mail server answers and accepts the login; nothing is sent. @throws Error that says why not, without the password */
export async function checkMailServer({ url }: Pick<SmtpSettings, 'url'>): Promise<void> {
  const transport = createTransport(connection(url));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function connection(url: string) {
  return { url, connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: ANSWER_MS };
}

// Users read these. The address of the mail server and its login are the operator's, who learns them from `sluice doctor`.
const UNREACHABLE = 'The mail server of this installation could not be reached.';
const LOGIN_REFUSED = 'The mail server of this installation refused the login of Sluice.';

/** For good (RFC 5321 4.2.3). Not for what it allows this server to do (RFC 3463: 5.7), which the operator can correct. */
const REFUSES_ADDRESS = /^55\d(?![ -]5\.7\.)/;

function failure(thrown: unknown, latencyMs: number): AttemptResult {
  const { code, command, responseCode, response, message } = thrown as {
    code?: string;
    command?: string;
    responseCode?: number;
    response?: string;
    message?: string;
  };
  const isOfEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isOfEmail) {
    const reason = code === 'EAUTH' ? LOGIN_REFUSED : UNREACHABLE;
    return {
      kind: 'refused',
      status: responseCode ?? null,
      reason,
      retry: 'later',
      retryAfterMs: null,
      latencyMs: null,
    };
  }
  const answer = shortened(visibleLine(response ?? message ?? ''), MAX_REASON_LENGTH);
  if (command === 'RCPT TO' && REFUSES_ADDRESS.test(response ?? '')) {
    const reason = `The mail server refuses the address of your account: ${answer}`;
    return { kind: 'refused', status: responseCode ?? null, reason, retry: 'gone', retryAfterMs: null, latencyMs };
  }
  const isFinal = (responseCode ?? 0) >= 500;
  return {
    kind: 'refused',
    status: responseCode ?? null,
    reason: `The mail server did not take the e-mail: ${answer}`,
    retry: isFinal ? 'never' : 'later',
    retryAfterMs: null,
    latencyMs,
  };
}

function codeIn(response: string): number | null {
  const code = Number.parseInt(response, 10);
  return Number.isNaN(code) ? null : code;
}
