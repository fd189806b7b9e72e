import type { Cluster } from '../../src/services/quality/choose-cluster.ts';
import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { testSealing } from './article-works.ts';
import { aUser } from './rows.ts';

export const PHRASE = 'кухни на заказ';
export const HOST = 'kuhni-plus.example';
export const SITE = `https://${HOST}`;

export function aCluster(mainPhrase: string, more: Partial<Cluster> = {}): Cluster {
  const numbers = { difficulty: 30, cpc: 40 };
  return {
    cluster_name: mainPhrase,
    cluster_type: 'article',
    main_phrase: mainPhrase,
    total_volume: 1_200,
    avg_difficulty: 30,
    phrases: [
      { phrase: mainPhrase, volume: 900, ...numbers },
      { phrase: `${mainPhrase} недорого`, volume: 200, ...numbers },
      { phrase: `${mainPhrase} цены`, volume: 100, ...numbers },
    ],
    ...more,
  };
}

export type CustomerOptions = {
  isAdmin?: boolean;
  /** Instead of the welcome bonus. */
  balance?: number;
  images?: number;
  prices?: string;
  keywords?: unknown;
  website?: string;
};

/** A person with a company, a site that articles go to, and a category to write about. */
export async function anArticleCustomer(sql: Sql, options: CustomerOptions = {}) {
  const { isAdmin = false, balance, images = 2, prices = '', website = SITE } = options;
  const { keywords = [aCluster(PHRASE)] } = options;
  const userId = await aUser(sql, { isAdmin });
  const ledger = makeLedger(sql);
  if (balance !== undefined)
    await ledger.forceDebit({ key: `${userId}:debt`, userId, amount: 1_500 - balance });
  const [project] = await sql<[{ id: number }]>`
    insert into projects (user_id, name, company_name, specialization, company_city, company_phone, website_url)
    values (${userId}, 'Кухни', 'Кухни Плюс', 'мебель на заказ', 'Казань', '+7 900 000-00-00', ${website})
    returning id`;
  const [category] = await sql<[{ id: number }]>`
    insert into categories (project_id, name, prices, keywords, image_settings)
    values (${project.id}, 'Кухни', ${prices}, ${JSON.stringify(keywords)}::text::jsonb,
      ${JSON.stringify({ count: images })}::text::jsonb)
    returning id`;
  const connections = makeConnections(sql, testSealing);
  const connectionId = await connects(HOST);
  return {
    userId,
    projectId: project.id,
    categoryId: category.id,
    connectionId,
    balance: () => ledger.balance(userId),
    connection: () => connections.find(userId, connectionId),
    connects,
    disconnects: (id: number) => connections.remove(userId, id),
    drafts,
    expire: () => sql`
      update article_previews set expires_at = now() - interval '1 second' where user_id = ${userId}`,
    expenses,
  };

  async function connects(identifier: string): Promise<number> {
    const credentials = { login: 'anna', app_password: 'abcd efgh' };
    const site = { projectId: project.id, platform: 'wordpress' as const, identifier, credentials };
    return (await connections.save(userId, site))!;
  }

  async function drafts() {
    return [
      ...(await sql<{ id: number; status: string; tokens: number; title: string; html: string }[]>`
        select id, status, tokens_charged as tokens, title, content_html as html
        from article_previews where user_id = ${userId} order by id`),
    ];
  }

  /** Movements of tokens, oldest first; what suppliers took is no movement. */
  async function expenses() {
    return [
      ...(await sql<{ type: string; amount: number }[]>`
        select operation_type as type, amount from token_expenses
        where user_id = ${userId} and operation_type not like 'api_%' order by id`),
    ];
  }
}
