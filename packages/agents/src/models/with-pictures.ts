import type { Attachment } from '@sluice/core/attachment';
import type { FilePart, ModelMessage } from 'ai';
import { allFenced } from '../tools/fence.ts';
import type { ModelChoice } from './model-choice.ts';

/** The limit of one request: each costs up to some 2,000 tokens in every turn. */
const MAX_PICTURES = 5;

const UNSEEN = 'You cannot see pictures. The list above names them: say so where your answer depends on one.';

/** How a list of attachments names a picture. */
export function pictureLine({ id, name, mediaType, width, height }: Attachment): string {
  return `picture ${id} ${mediaType}, ${width} x ${height} pixels, ${JSON.stringify(name)}`;
}

const LINE = /^picture ([0-9a-f-]{36}) (image\/(?:png|jpeg|webp)), /gm;

/**
 * The messages with the pixels of the first pictures that their lists of attachments name, for a model that sees; with a word
 * about it for another one. The journal has the lists alone, so that the same picture is sent in every turn, and kept once.
 *
 * @param read answers null for what is no picture of this issue, whatever a message says
 */
export async function withPictures(
  messages: readonly ModelMessage[],
  { choice, read }: { readonly choice: ModelChoice; readonly read: (id: string) => Promise<Uint8Array | null> },
): Promise<ModelMessage[]> {
  const shown: ModelMessage[] = [];
  let left = MAX_PICTURES;
  for (const message of messages) {
    const named = message.role === 'user' && typeof message.content === 'string' ? picturesIn(message.content) : [];
    if (message.role !== 'user' || typeof message.content !== 'string' || named.length === 0) {
      shown.push(message);
      continue;
    }
    if (choice.seesPictures !== true) {
      shown.push({ ...message, content: `${message.content}\n\n${UNSEEN}` });
      continue;
    }
    const parts: FilePart[] = [];
    for (const { id, mediaType } of named.slice(0, left)) {
      const data = await read(id);
      if (data !== null) parts.push({ type: 'file', mediaType, data });
    }
    left -= parts.length;
    const note = named.length > parts.length ? ['Not all of the pictures are shown.'] : [];
    shown.push({
      ...message,
      content: [{ type: 'text', text: [message.content, ...note].join('\n\n') }, ...parts],
    });
  }
  return shown;
}

function picturesIn(content: string) {
  return allFenced('attachments', content).flatMap((list) =>
    [...list.matchAll(LINE)].map(([, id = '', mediaType = '']) => ({ id, mediaType })),
  );
}
