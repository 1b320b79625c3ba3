import type { IncomingMessage } from 'node:http';
import { createSemaphore } from '@sluice/core/async';
import type { FetchedPicture, HostedPicture } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { HostResolver } from '@sluice/core/network';
import { z } from 'zod';
import { type HostAddress, repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { requestWithoutToken } from '../client/request-without-token.ts';
import { hostText } from './wire-values.ts';

/** The host's rendered texts, in which the addresses of private files are signed for some minutes. */
const RENDERED = 'application/vnd.github.full+json';
const PER_PAGE = 100;
const MAX_PICTURES = 20; // as many as an issue may have
const MAX_NAME_CHARACTERS = 100;
/** The limit of all imports of this process: each picture holds up to `maxBytes`. */
const MAX_AT_ONCE = 2;

const rendered = z.object({ body_html: hostText });

/**
 * The origins of the host's own files. The public host signs addresses at one of its origins; an Enterprise Server has its
 * files at a host name of their own (docs.github.com/enterprise-server/admin/configuring-settings/hardening-security-for-your-enterprise/enabling-subdomain-isolation).
 */
export function usualFileOrigins(web: URL): readonly string[] {
  if (web.hostname === 'github.com') return ['https://private-user-images.githubusercontent.com'];
  return [`${web.protocol}//media.${web.host}`];
}

/** The pictures that an issue and its first hundred comments show from the host's own files, in their order, each once. */
export async function findPictures(
  host: HostSession,
  fullName: string,
  of: { readonly number: number; readonly origins: readonly string[] },
): Promise<readonly HostedPicture[]> {
  const parameters = { ...repoName(fullName), issue_number: subjectNumber(of.number) };
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
  const issue = await host.send({ route, parameters, accept: RENDERED, schema: rendered });
  const comments = await host.send({
    route: `${route}/comments`,
    parameters: { ...parameters, per_page: PER_PAGE },
    accept: RENDERED,
    schema: z.array(rendered),
  });
  const found = new Map<string, HostedPicture>();
  for (const { body_html } of [issue.data, ...comments.data]) {
    for (const url of picturesIn(body_html, of.origins)) {
      // One file may be signed twice.
      const key = `${url.origin}${url.pathname}`;
      if (!found.has(key)) found.set(key, { name: nameOf(url), url: url.href });
    }
  }
  return [...found.values()].slice(0, MAX_PICTURES);
}

/** No two quantifiers can take the same character, so that no text takes more than two looks at each of its characters. */
const IMAGE = /<img\s((?:[^"<>]|"[^"]*")*)>/g;
const SOURCE = /(?:^|\s)src="([^"]*)"/;

function picturesIn(html: string, origins: readonly string[]): URL[] {
  return [...html.matchAll(IMAGE)].flatMap(([, attributes = '']) => {
    const source = SOURCE.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const url = URL.canParse(source) ? new URL(source) : null;
    return url !== null && origins.includes(url.origin) && url.search !== '' ? [url] : [];
  });
}

/** The last part of the path, which the text of the issue names too. */
function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  return last.replaceAll(/[^\w.-]/g, '').slice(-MAX_NAME_CHARACTERS) || 'picture';
}

interface PictureReading {
  readonly host: HostAddress;
  readonly hosts: HostResolver;
  readonly origins: readonly string[];
  readonly requestMs: number;
}

/** Reads pictures at their signed addresses, a few at a time. */
export function createPictureReader({ host, hosts, origins, requestMs }: PictureReading) {
  const slots = createSemaphore(MAX_AT_ONCE);
  return async <T>(
    { url: address }: HostedPicture,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
    use: (picture: FetchedPicture) => Promise<T>,
  ): Promise<T> => {
    const url = new URL(address);
    if (!origins.includes(url.origin)) throw unread('its address is not one of the files of the code host');
    return await slots.run(async () => {
      const deadline = AbortSignal.timeout(requestMs);
      try {
        const either = AbortSignal.any([signal, deadline]);
        const response = await requestWithoutToken({ url, host, hosts, signal: either, accept: 'image/*' });
        if (response === null) throw unread('its address leads into a private network, or is not encrypted');
        return await use(await pictureOf(response, maxBytes));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        throw unread(deadline.aborted ? 'the code host did not send it in time' : 'the connection broke', error);
      }
    }, signal);
  };
}

async function pictureOf(response: IncomingMessage, maxBytes: number): Promise<FetchedPicture> {
  const { statusCode: status = 0, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  if (status !== 200) {
    response.destroy();
    throw unread(isRedirect ? 'its address leads to another one' : `the code host answered ${status}`);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    // Leaving the loop destroys the stream.
    if (bytes > maxBytes) throw unread(`it has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  return { content: Buffer.concat(parts, bytes), mediaType: mediaType.trim().toLowerCase() };
}

function unread(reason: string, cause?: unknown): AppError {
  return new AppError('codehost_refused', { detail: `The picture cannot be fetched: ${reason}.` }, { cause });
}
