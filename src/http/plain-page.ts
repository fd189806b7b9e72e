/** For pages whose address holds something secret. */
export const quietHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** A page for a person who returns from another site in their browser, with a link to the bot where it has an address. */
export const plainPage = (
  { head, text }: { head: string; text: string },
  chatUrl: string | null,
): string => `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${head}</title>
<style>
  body { margin: 20vh auto; max-width: 26rem; padding: 0 1rem; font: 18px/1.5 system-ui, sans-serif; text-align: center; }
</style>
<h1>${head}</h1>
<p>${text}</p>
${chatUrl === null ? '' : `<p><a href="${chatUrl}">Открыть бот</a></p>`}
</html>
`;
