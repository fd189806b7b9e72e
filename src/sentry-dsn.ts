export type SentryAddress = { url: string; key: string };

/** `https://key@host/7`, as Sentry and GlitchTip give it, also below a path. Null: it is not of this form. */
export function readDsn(dsn: string): SentryAddress | null {
  if (!URL.canParse(dsn)) return null;
  const { protocol, username, host, pathname } = new URL(dsn);
  const [, path = '', project] = /^(.*)\/(\d+)$/u.exec(pathname) ?? [];
  if (!/^https?:$/u.test(protocol) || username === '' || project === undefined) return null;
  return { url: `${protocol}//${host}${path}/api/${project}/envelope/`, key: username };
}
