import type { Site } from './site.ts';
import { escaped, themed } from './theme.ts';

type Asked = { appName: string; successUrl: string | null; rejectUrl: string | null };
type Consent = { html: string } | { redirect: string };

/** WordPress's own consent page. Here no login comes before it. */
export function consentPage(site: Site, query: URLSearchParams, base: string): Consent {
  const asked = askedFor(query);
  const hidden = ([name, value]: [string, string | null]) =>
    value === null ? '' : `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  const users = site.users
    .values()
    .map(({ login, name }) => `<option value="${escaped(login)}">${escaped(`${name} (${login})`)}</option>`)
    .join('');
  return page(
    site,
    base,
    `<h1>Разрешить приложение?</h1>
<form class="consent" method="post">
<p><strong>${escaped(asked.appName)}</strong> просит доступ к сайту «${escaped(site.settings.title)}».</p>
<label>Пользователь: <select name="user">${users}</select></label>
${hidden(['app_name', asked.appName])}${hidden(['success_url', asked.successUrl])}${hidden(['reject_url', asked.rejectUrl])}
<p><button name="approve" value="1">Разрешить</button><button name="reject" value="1">Отклонить</button></p>
</form>`,
  );
}

/** The answer to the form: back to the application with a password, or without; or shown, when there is no application to return to. */
export function consent(site: Site, form: URLSearchParams, base: string): Consent {
  const { successUrl, rejectUrl } = askedFor(form);
  const user = site.users.get(form.get('user') ?? '');
  if (!form.has('approve') || !user) {
    const back = rejectUrl ?? (successUrl && withQuery(successUrl, { success: 'false' }));
    return back ? { redirect: back } : { redirect: `${base}/` };
  }
  const password = site.issuePassword(user.login);
  if (successUrl)
    return {
      redirect: withQuery(successUrl, {
        site_url: base,
        user_login: user.login,
        password: password.replaceAll(' ', ''),
      }),
    };
  return page(
    site,
    base,
    `<h1>Новый пароль</h1><p>Логин ${escaped(user.login)}, пароль <code>${password}</code></p>`,
  );
}

function page(site: Site, base: string, main: string): Consent {
  const { title } = site.settings;
  return { html: themed({ site: { title, base }, title: `Разрешить приложение — ${title}`, main }) };
}

function askedFor(params: URLSearchParams): Asked {
  const url = (name: string) => {
    const given = params.get(name);
    return given && URL.canParse(given) && /^https?:/u.test(given) ? given : null;
  };
  return {
    appName: params.get('app_name') ?? 'Приложение',
    successUrl: url('success_url'),
    rejectUrl: url('reject_url'),
  };
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
