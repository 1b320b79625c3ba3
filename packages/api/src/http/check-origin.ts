import { AppError } from '@sluice/core';
import type { RequestHandler } from 'express';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site's page sends in its visitor's name. The body's content type is no protection here: a
 * bodyless POST needs none. A client that is no browser sends neither header and is let through.
 *
 * A refused request never reaches its endpoint and counts towards no limit: else any page could use up its visitors'.
 */
export function checkOrigin(allowed: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    if (safe.has(req.method)) return next();
    const origin = req.get('Origin');
    const isForeign = origin === undefined ? req.get('Sec-Fetch-Site') === 'cross-site' : !allowed.has(origin);
    return isForeign ? next(new AppError('origin_refused')) : next();
  };
}
