import * as z from 'zod';

/** The input of what takes none: a member would be a typo, and typos are refused. */
export const noInput = z.strictObject({}).optional();
