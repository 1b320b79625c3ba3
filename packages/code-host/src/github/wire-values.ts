import { z } from 'zod';

/** The host's numeric id, as a string. */
export const hostId = z.number().int().positive().transform(String);

const MAX_NUMBER = 2 ** 31 - 1; // the limit of the database columns

export const hostNumber = z.number().int().positive().max(MAX_NUMBER);

export const hostDate = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A text that the host may omit when it is empty. */
export const hostText = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** An author; null when the account was deleted. */
export const hostAuthor = z.object({ id: hostId, login: z.string().min(1), type: z.string().optional() }).nullable();
export type HostAuthor = z.output<typeof hostAuthor>;

/** The login of an author; deleted accounts are shown as `ghost`, as at the host. */
export const loginOf = (author: HostAuthor): string => author?.login ?? 'ghost';

/** The id of an app that a check must come from; null for any, which the host writes as -1 or not at all. */
export const anyApp = z
  .number()
  .int()
  .nullish()
  .transform((id) => (id == null || id < 1 ? null : String(id)));
