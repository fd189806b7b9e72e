import type { IncomingMessage } from 'node:http';
import type { Site } from './site.ts';
import { type User, WpError } from './wire.ts';

/**
 * Who is asking; null is a stranger. Wrong credentials are refused, but on a site where nobody has an application
 * password, or where they are switched off, they are not even read.
 */
export function logIn(site: Site, { headers }: IncomingMessage): User | null {
  const { applicationPasswords, authorization, wrongPassword } = site.settings;
  const given = /^Basic (.+)$/iu.exec(headers.authorization ?? '')?.[1];
  if (!given || authorization === 'stripped' || !applicationPasswords || !site.hasPasswords()) return null;
  const [, login = '', password = ''] =
    /^([^:]*):(.*)$/su.exec(Buffer.from(given, 'base64').toString()) ?? [];
  const user = site.users.values().find((one) => one.login === login || one.email === login);
  if (user && site.opens(user.login, password)) return user;
  if (wrongPassword === 'ignored') return null;
  if (user)
    throw new WpError(401, 'incorrect_password', 'The provided password is an invalid application password.');
  throw login.includes('@')
    ? new WpError(401, 'invalid_email', 'Unknown email address. Check again or try your username.')
    : new WpError(401, 'invalid_username', 'Unknown username. Check again or try your email address.');
}

/** WordPress says 401 to strangers and 403 to those it knows. */
export const refusedFor = (user: User | null, code: string, message: string): WpError =>
  new WpError(user ? 403 : 401, code, message);
