import { AppError } from '@sluice/core/error';
import type { RequestHandler } from 'express';

/** Refuses what is left of the methods once a path has its GET. */
export const onlyRead: RequestHandler = () => {
  throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
};
