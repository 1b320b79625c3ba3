import { AppError } from '@sluice/core/error';
import express, { type Request, type Response } from 'express';
import { requireJson } from '../transport/http/read-body.ts';

/**
 * The longest issue with the longest comment stays under one mebibyte, and a pull request's delivery describes repositories
 * on top. Anything larger is about something else, such as a push.
 */
export const MAX_DELIVERY_BYTES = 2 * 1_048_576;

const readRaw = express.raw({ type: () => true, limit: MAX_DELIVERY_BYTES, inflate: false });

/**
 * The raw bytes of a delivery, because the signature covers them.
 *
 * @throws AppError `media_type_unsupported`, `body_too_large`
 */
export async function readDelivery(req: Request, res: Response): Promise<Uint8Array> {
  requireJson(req.headers);
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (fault?: unknown) => (fault === undefined ? resolve() : reject(asAppError(fault))));
  });
  const bytes: unknown = req.body;
  return Buffer.isBuffer(bytes) ? bytes : new Uint8Array();
}

function asAppError(fault: unknown): unknown {
  const isTooLarge = fault instanceof Error && 'type' in fault && fault.type === 'entity.too.large';
  if (!isTooLarge) return fault;
  const detail = `The delivery is larger than ${MAX_DELIVERY_BYTES / 1_048_576} MiB.`;
  return new AppError('body_too_large', { detail }, { cause: fault });
}
