import {
  addAttachment,
  attachmentTypes,
  attachmentWire,
  authorizeAttachment,
  isPictureType,
  MAX_ATTACHMENT_BYTES,
  MAX_ISSUE_ATTACHMENTS,
  MAX_NAME_CHARACTERS,
  toAttachmentWire,
} from '@sluice/core/attachment';
import { AppError } from '@sluice/core/error';
import { authorizeIssue } from '@sluice/core/issue';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

const MAX_BASE64 = Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4;

/** Its own check: the usual pattern takes a group for each four characters, of which a file has millions. */
const base64 = z
  .string()
  .superRefine((value, context) => {
    const isBase64 = value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    if (!isBase64) context.addIssue({ code: 'custom', message: 'must be base64' });
  })
  .meta({ maxLength: MAX_BASE64, contentEncoding: 'base64' });

export const uploadAttachment = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/attachments',
      tags: ['attachments'],
      summary: 'Upload a picture or a text for an issue',
      description:
        'Name its `id` in `attachments` when you create an issue, write a note or instruct. Until then only you can see it, and after 24 hours it is deleted. A picture (PNG, JPEG, WebP, GIF) is decoded in the sandbox and drawn again without metadata, at most 2,000 pixels wide and high; of an animation the first frame. Texts have to be UTF-8. One file a request, of at most 10 MiB: the body may have 14 MiB here. 503 `pictures_unavailable` where the server has no sandbox.',
    },
    limit: 'upload_attachment',
    upload: true,
    status: 201,
    headers: { Location: 'The path of the file.' },
    refusals: [
      'attachment_type_unsupported',
      'attachment_unreadable',
      'attachment_too_large',
      'attachments_full',
      'pictures_unavailable',
      'uploads_busy',
      'account_disabled',
    ],
    example: { body: { name: 'server.log', media_type: 'text/plain', data: 'R0VUIC8gNTAwCg==' } },
  })
  .input(
    z.strictObject({
      name: text({ min: 1, max: MAX_NAME_CHARACTERS, line: true }).describe('The name of the file.'),
      media_type: text({ min: 1, max: 100, line: true }).describe(`One of ${attachmentTypes.join(', ')}.`),
      data: base64.describe('The content in base64.'),
    }),
  )
  .output(attachmentWire)
  .mutation(async ({ ctx, input }) => {
    const attachment = await addAttachment(ctx, {
      name: input.name,
      mediaType: input.media_type,
      content: Buffer.from(input.data, 'base64'),
      by: ctx.by,
      userId: ctx.by.userId,
      signal: ctx.signal,
    });
    ctx.appendHeader('Location', `/api/attachments/${attachment.id}`);
    return toAttachmentWire(attachment);
  });

export const attachmentFileWire = attachmentWire.extend({ data: z.string().describe('The content in base64.') });

export const getAttachment = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/attachments/{id}',
      tags: ['attachments'],
      summary: 'Read a picture or a text',
      description:
        'The file itself, with its `media_type`: for everybody who may read the issue, and for its uploader while no issue has used it.',
    },
    file: {
      types: attachmentTypes,
      toFile: ({ name, media_type: type, data }: z.infer<typeof attachmentFileWire>) => ({
        type,
        content: Buffer.from(data, 'base64'),
        // A browser shows pictures only; nothing else is ever opened in this origin.
        disposition: `${isPictureType(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded(name)}`,
      }),
    },
    refusals: ['attachment_not_found', 'issue_not_found', 'not_owner'],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(attachmentFileWire)
  .query(async ({ ctx, input }) => {
    const attachment = await authorizeAttachment(ctx, input.id);
    const content = await ctx.attachments.content(attachment.id);
    if (content === null) throw new AppError('attachment_not_found');
    return { ...toAttachmentWire(attachment), data: Buffer.from(content).toString('base64') };
  });

export const listAttachments = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/attachments',
      tags: ['attachments'],
      summary: 'List the pictures and texts of an issue',
      description: `At most ${MAX_ISSUE_ATTACHMENTS}, in the order of their uploads: those of the issue, its notes and its guidance.`,
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.object({ items: z.array(attachmentWire) }))
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    return { items: (await ctx.attachments.ofIssue(issue.id)).map(toAttachmentWire) };
  });

/** The name in the form of RFC 8187. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
}
