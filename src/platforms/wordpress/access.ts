import { z } from 'zod';

const stored = z.object({ url: z.string(), login: z.string(), app_password: z.string() });

/** What was sealed with a connection, as the adapter wants it. */
export function wordPressAccess(credentials: unknown): { url: string; login: string; appPassword: string } {
  const { url, login, app_password } = stored.parse(credentials);
  return { url, login, appPassword: app_password };
}
