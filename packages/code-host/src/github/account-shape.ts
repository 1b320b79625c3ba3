import type { CodeHostAccount } from '@sluice/core';
import { z } from 'zod';
import { hostId } from './wire-values.ts';

const webAddress = z.url({ protocol: /^https?$/ });

export const accountShape = z
  .object({
    id: hostId,
    login: z.string().min(1),
    name: z.string().nullish(),
    avatar_url: z.string().nullish(),
  })
  .transform(
    ({ id, login, name, avatar_url }): CodeHostAccount => ({
      id,
      login,
      name: name ?? null,
      avatarUrl: webAddress.safeParse(avatar_url).data ?? null,
    }),
  );
