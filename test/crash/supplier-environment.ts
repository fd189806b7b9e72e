import type { SupplierSettings } from '../../src/config.ts';

/** The settings that lead a bot to these suppliers, by their names in the environment. */
export function supplierEnvironment(suppliers: SupplierSettings): Record<string, string> {
  const { openRouter, dataForSeo, firecrawl, serper, pageSpeed, telegraph } = suppliers;
  const settings: Record<string, string | undefined> = {
    OPENROUTER_BASE_URL: openRouter?.baseUrl,
    OPENROUTER_API_KEY: openRouter?.apiKey,
    DATAFORSEO_BASE_URL: dataForSeo?.baseUrl,
    DATAFORSEO_LOGIN: dataForSeo?.login,
    DATAFORSEO_PASSWORD: dataForSeo?.password,
    FIRECRAWL_BASE_URL: firecrawl?.baseUrl,
    FIRECRAWL_API_KEY: firecrawl?.apiKey,
    SERPER_BASE_URL: serper?.baseUrl,
    SERPER_API_KEY: serper?.apiKey,
    PAGESPEED_BASE_URL: pageSpeed?.baseUrl,
    PAGESPEED_API_KEY: pageSpeed?.apiKey,
    TELEGRAPH_BASE_URL: telegraph?.baseUrl,
    TELEGRAPH_ACCESS_TOKEN: telegraph?.accessToken,
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
