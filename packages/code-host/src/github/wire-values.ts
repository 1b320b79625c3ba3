import { z } from 'zod';

/** An id as the host gives it, a number, in our form. */
export const hostId = z.number().int().positive().transform(String);

const GREATEST = 2_147_483_647; // what the databases' columns hold

export const hostNumber = z.number().int().positive().max(GREATEST);

export const hostDate = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A text that the host leaves out when it is empty. */
export const hostText = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** Who wrote something; null where the account is gone. */
export const hostAuthor = z.object({ id: hostId, login: z.string().min(1), type: z.string().optional() }).nullable();
export type HostAuthor = z.output<typeof hostAuthor>;

/** What the provider shows in place of somebody whose account is gone. */
export const loginOf = (author: HostAuthor): string => author?.login ?? 'ghost';
