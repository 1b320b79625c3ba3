import * as z from 'zod';

/** The input of procedures without members: an unknown member is refused, because it is a typo. */
export const noInput = z.strictObject({}).optional();
