-- The whole database. Idempotent: running it twice changes nothing, and the bot runs it at start.
-- PostgreSQL 15 or newer, and PGlite.
--
-- version: 58
-- oldest process that can work with it: 58
--
-- Raise the version with every change: a process that meets a newer one leaves the database as it is. Raise the second
-- number too when processes of an earlier version cannot live with the change: they stop and say so (src/store/schema.ts).
--
-- Thirteen tables come from the architecture document, sixteen from the autoposting reference, five from the reference of
-- the shop bot; the rest serve the engine: keyed operations, sessions, and small values with an expiry.

-- Words that a column may hold. Not written into `create table`, which does nothing where the table exists: a list that
-- grew would never reach an existing database. A constraint is replaced only when its list differs, because that locks
-- the table. "not valid": rows that are there were checked when they came, and need not be read again; a statement that
-- takes a word away must change its rows first.
create or replace function pg_temp.only_known(p_table text, p_column text, p_constraint text, p_words text[])
returns void language plpgsql as $$
declare
  v_words text[];
begin
  select array(
    select quoted[1] from regexp_matches(pg_get_constraintdef(c.oid), '''([^'']+)''', 'g') as quoted
  ) into v_words
  from pg_constraint c where c.conrelid = p_table::regclass and c.conname = p_constraint;
  if v_words = p_words then
    return;
  end if;
  execute format('alter table %I drop constraint if exists %I, add constraint %I check (%I in (%s)) not valid',
    p_table, p_constraint, p_constraint, p_column,
    (select string_agg(quote_literal(word), ', ') from unnest(p_words) as word));
end
$$;

-- Where texts are published (src/platforms/platforms.ts).
create or replace function pg_temp.platforms() returns text[] language sql immutable as
  $$ select array['wordpress', 'telegram', 'vk', 'pinterest', 'max'] $$;

-- People and what they own ---------------------------------------------------------------------------

create table if not exists users (
  id                  bigint primary key, -- Telegram user id
  username            varchar(255),
  first_name          varchar(255),
  last_name           varchar(255),
  -- 1500 is the welcome bonus: balance = 1500 + sum(token_expenses.amount) at every instant.
  balance             integer not null default 1500,
  language            varchar(10) default 'ru',
  role                varchar(20) default 'user',
  referrer_id         bigint references users(id) on delete set null,
  notify_publications boolean default true,
  notify_balance      boolean default true,
  notify_news         boolean default true,
  created_at          timestamptz default now(),
  last_activity       timestamptz default now()
);
select pg_temp.only_known('users', 'role', 'users_role_known', array['user', 'admin']);
-- Since when the bot may not write to them; null: it may.
alter table users add column if not exists blocked_at timestamptz;
create index if not exists idx_users_referrer on users(referrer_id);
create index if not exists idx_users_activity on users(last_activity);

-- A person is an id of ours; a messenger's own id leads to it from here. People of Telegram, which was first, have their
-- Telegram id (at most 52 bits) as ours; all others get numbers above those.
create table if not exists identities (
  messenger   text not null,
  external_id text not null,
  user_id     bigint not null references users(id) on delete cascade,
  created_at  timestamptz not null default now(),
  primary key (messenger, external_id),
  unique (user_id, messenger)
);
create sequence if not exists foreign_user_ids minvalue 4503599627370496;
insert into identities (messenger, external_id, user_id)
select 'telegram', id::text, id from users where id < 4503599627370496
on conflict do nothing;

create table if not exists projects (
  id                serial primary key,
  user_id           bigint not null references users(id) on delete cascade,
  name              varchar(255) not null,
  company_name      varchar(255) not null,
  specialization    text not null,
  website_url       varchar(500),
  company_city      varchar(255),
  company_address   text,
  company_phone     varchar(50),
  company_email     varchar(255),
  company_instagram varchar(255),
  company_vk        varchar(255),
  company_pinterest varchar(255),
  company_telegram  varchar(255),
  experience        text,
  advantages        text,
  description       text,
  timezone          varchar(50) default 'Europe/Moscow',
  created_at        timestamptz default now()
);
create index if not exists idx_projects_user on projects(user_id);
alter table projects add column if not exists voice text; -- how the company speaks, as its owner has approved it
alter table projects add column if not exists author_name varchar(100); -- the person who signs articles

create table if not exists platform_connections (
  id            serial primary key,
  project_id    integer not null references projects(id) on delete cascade,
  platform_type varchar(20) not null,
  status        varchar(20) default 'active',
  credentials   text not null, -- sealed JSON (Fernet)
  metadata      jsonb default '{}',
  identifier    varchar(500) not null, -- in the clear, for the unique constraint
  created_at    timestamptz default now(),
  unique (project_id, platform_type, identifier)
);
select pg_temp.only_known('platform_connections', 'platform_type', 'connections_platform_known',
  pg_temp.platforms());
select pg_temp.only_known('platform_connections', 'status', 'connections_status_known',
  array['active', 'error', 'disconnected']);
create index if not exists idx_connections_project on platform_connections(project_id);

create table if not exists categories (
  id             serial primary key,
  project_id     integer not null references projects(id) on delete cascade,
  name           varchar(255) not null,
  description    text,
  -- Clusters: [{cluster_name, cluster_type, main_phrase, total_volume, avg_difficulty,
  -- phrases: [{phrase, volume, difficulty, cpc, intent, ai_suggested}]}].
  -- The older flat list has no cluster_name: [{phrase, volume, difficulty, cpc}].
  keywords       jsonb default '[]',
  media          jsonb default '[]', -- [{file_id, type, file_size, uploaded_at}]
  prices         text, -- "goods — price", one per line
  reviews        jsonb default '[]', -- [{author, date, rating, text, pros, cons}]
  image_settings jsonb default '{}',
  text_settings  jsonb default '{}',
  created_at     timestamptz default now()
);
create index if not exists idx_categories_project on categories(project_id);
alter table categories add column if not exists own_knowledge text; -- what only the owner knows
alter table categories add column if not exists avoid text; -- what is not to be written about

create table if not exists platform_content_overrides (
  id             serial primary key,
  category_id    integer not null references categories(id) on delete cascade,
  platform_type  varchar(20) not null,
  image_settings jsonb, -- null: inherited from the category
  text_settings  jsonb, -- null: inherited from the category
  unique (category_id, platform_type)
);
select pg_temp.only_known('platform_content_overrides', 'platform_type', 'overrides_platform_known',
  pg_temp.platforms());

create table if not exists platform_schedules (
  id                  serial primary key,
  category_id         integer not null references categories(id) on delete cascade,
  platform_type       varchar(20) not null,
  connection_id       integer not null references platform_connections(id) on delete cascade,
  schedule_days       text[] default '{}', -- {mon, tue, wed, thu, fri, sat, sun}
  schedule_times      text[] default '{}', -- {09:00, 12:00, 18:00}
  posts_per_day       integer default 1 check (posts_per_day between 1 and 5),
  enabled             boolean default false,
  status              varchar(20) default 'active',
  qstash_schedule_ids text[] default '{}', -- one per time slot
  last_post_at        timestamptz,
  created_at          timestamptz default now(),
  unique (category_id, platform_type, connection_id),
  -- Empty until the times are chosen, then exactly posts_per_day of them.
  check (schedule_times = '{}' or array_length(schedule_times, 1) = posts_per_day)
);
select pg_temp.only_known('platform_schedules', 'platform_type', 'schedules_platform_known',
  pg_temp.platforms());
select pg_temp.only_known('platform_schedules', 'status', 'schedules_status_known', array['active', 'error']);
-- Failures of the platform in a row; at three it is switched off.
alter table platform_schedules add column if not exists error_count integer not null default 0;
-- Drafts are sent to their owner before the slot, and wait for a yes.
alter table platform_schedules add column if not exists asks_first boolean not null default false;
-- Why it was switched off by itself; null: its owner did it.
alter table platform_schedules add column if not exists paused_for text;
select pg_temp.only_known('platform_schedules', 'paused_for', 'schedules_pause_known', array['tokens']);
-- When its triggers were set, and when one of them called last: a slot that passed between now and the later of both
-- without a call was forgotten by the scheduler.
alter table platform_schedules add column if not exists planned_at timestamptz not null default now();
alter table platform_schedules add column if not exists called_at timestamptz;
create index if not exists idx_schedules_connection on platform_schedules(connection_id);
create index if not exists idx_schedules_enabled on platform_schedules(enabled) where enabled = true;

-- What the owner of a schedule wants a slot to be about, instead of what the rotation would take.
create table if not exists planned_topics (
  schedule_id integer not null references platform_schedules(id) on delete cascade,
  slot_at     timestamptz not null,
  phrase      text not null,
  primary key (schedule_id, slot_at)
);

-- The scheduler of an installation without QStash: signed calls to our own endpoints, at every slot of a cron line.
create table if not exists scheduled_calls (
  id           text primary key,
  path         text not null,
  cron         text not null,
  time_zone    text not null,
  body         text not null,
  failure_path text,
  next_at      timestamptz not null
);
create index if not exists idx_scheduled_calls_next on scheduled_calls(next_at);

-- Deliveries that wait, are under way or are tried again; a settled one goes.
create table if not exists queued_calls (
  id           text primary key, -- of a slot: schedule@unix ms
  schedule_id  text,
  path         text not null,
  body         text not null,
  failure_path text,
  not_before   timestamptz not null,
  attempt      integer not null default 0,
  held_until   timestamptz -- a process is delivering it; renewed while it lives
);
create index if not exists idx_queued_calls_due on queued_calls(not_before);
-- Since when it waits for room. A slot that waited behind a thousand others was not missed.
alter table queued_calls add column if not exists queued_at timestamptz not null default now();

-- What people were told without asking, so that it is told once: low balance, digests, reminders.
create table if not exists notices (
  user_id bigint not null references users(id) on delete cascade,
  kind    text not null,
  told_at timestamptz not null default now(),
  primary key (user_id, kind)
);

create table if not exists publication_logs (
  id                 serial primary key,
  user_id            bigint not null references users(id) on delete cascade,
  project_id         integer not null references projects(id) on delete cascade,
  category_id        integer references categories(id) on delete set null,
  platform_type      varchar(20) not null,
  connection_id      integer references platform_connections(id) on delete set null,
  keyword            varchar(500),
  content_type       varchar(20) not null default 'article', -- article, social_post, review, cross_post
  images_count       integer default 0,
  post_url           text,
  word_count         integer default 0,
  tokens_spent       integer default 0,
  ai_model           varchar(100),
  generation_time_ms integer,
  prompt_version     varchar(20),
  content_hash       bigint, -- simhash, all 64 bits: read it as text, a JavaScript number loses the low ones
  status             varchar(20) default 'success',
  error_message      text,
  rank_position      integer,
  rank_checked_at    timestamptz,
  created_at         timestamptz default now()
);
select pg_temp.only_known('publication_logs', 'platform_type', 'publications_platform_known',
  pg_temp.platforms());
select pg_temp.only_known('publication_logs', 'status', 'publications_status_known',
  -- draft: on the site, where only its owner sees it; unknown: the answer was lost, the post may be there
  array['success', 'draft', 'failed', 'cancelled', 'unknown']);
alter table publication_logs add column if not exists as_draft boolean not null default false; -- sent to be a draft
-- One publication is noted once, however often the operation behind it is run.
alter table publication_logs add column if not exists operation_key text;
create unique index if not exists idx_pub_logs_operation on publication_logs(operation_key);
create index if not exists idx_pub_logs_unknown on publication_logs(created_at) where status = 'unknown';
alter table publication_logs add column if not exists results jsonb; -- {pages, questions}: what search showed
create index if not exists idx_pub_logs_user on publication_logs(user_id, created_at desc);
create index if not exists idx_pub_logs_project on publication_logs(project_id);
create index if not exists idx_pub_logs_category on publication_logs(category_id, created_at desc);
create index if not exists idx_pub_logs_rotation
  on publication_logs(category_id, created_at desc) include (keyword);

-- Where an article stood in search, once a week. The latest is also in publication_logs.rank_position.
create table if not exists rank_checks (
  publication_id integer not null references publication_logs(id) on delete cascade,
  week           text not null, -- its Monday, YYYY-MM-DD
  position       integer, -- null: not among the first hundred
  is_told        boolean not null default false, -- its owner was told that it falls
  checked_at     timestamptz not null default now(),
  primary key (publication_id, week)
);

create table if not exists site_audits (
  id              serial primary key,
  project_id      integer not null references projects(id) on delete cascade,
  url             varchar(500) not null,
  performance     integer,
  accessibility   integer,
  best_practices  integer,
  seo_score       integer,
  lcp_ms          integer,
  inp_ms          integer,
  cls             decimal(5, 3),
  ttfb_ms         integer,
  full_report     jsonb,
  recommendations jsonb default '[]', -- [{title, description, priority}]
  audited_at      timestamptz default now(),
  unique (project_id)
);
create index if not exists idx_audits_project on site_audits(project_id);
-- {at, figures}: the audit before this one, of the same site, to be compared with.
alter table site_audits add column if not exists previous jsonb;

create table if not exists competitor_analyses ( -- the last 20 of a project
  id         serial primary key,
  project_id integer not null references projects(id) on delete cascade,
  url        varchar(500) not null,
  report     jsonb not null, -- {positioning, strengths, gaps, recommendations}
  created_at timestamptz not null default now()
);
create index if not exists idx_competitor_analyses_project on competitor_analyses(project_id, id desc);

create table if not exists site_brandings (
  id           serial primary key,
  project_id   integer not null references projects(id) on delete cascade,
  url          varchar(500) not null,
  colors       jsonb default '{}', -- {background, text, accent, primary, secondary}
  fonts        jsonb default '{}', -- {heading, body}
  logo_url     text,
  extracted_at timestamptz default now(),
  unique (project_id)
);
create index if not exists idx_brandings_project on site_brandings(project_id);

create table if not exists article_previews (
  id                 serial primary key,
  user_id            bigint not null references users(id), -- kept: a draft is money
  project_id         integer not null references projects(id) on delete cascade,
  category_id        integer not null references categories(id) on delete cascade,
  connection_id      integer references platform_connections(id) on delete set null,
  telegraph_url      varchar(500),
  telegraph_path     varchar(255),
  title              text,
  keyword            varchar(500),
  word_count         integer,
  images_count       integer,
  tokens_charged     integer,
  regeneration_count integer default 0, -- two are free
  status             varchar(20) default 'draft',
  content_html       text,
  images             jsonb default '[]', -- [{url, storage_path, width, height, alt, filename, caption}]
  created_at         timestamptz default now(),
  expires_at         timestamptz default (now() + interval '24 hours')
);
select pg_temp.only_known('article_previews', 'status', 'previews_status_known',
  array['draft', 'publishing', 'unknown', 'published', 'cancelled', 'expired']);
-- The draft is opened by the operation that charges for it, once. Details: what publishing needs beside the text.
alter table article_previews add column if not exists operation_key text;
alter table article_previews add column if not exists details jsonb not null default '{}';
create unique index if not exists idx_previews_operation on article_previews(operation_key);
create index if not exists idx_previews_user on article_previews(user_id);
-- "publishing" is a claim under the lease `claim_until`; "unknown": a site may have it, its answer was lost.
alter table article_previews add column if not exists claim_until timestamptz;
create index if not exists idx_previews_expires on article_previews(expires_at) where status = 'draft';
create index if not exists idx_previews_claimed on article_previews(claim_until) where status = 'publishing';
-- A version that was charged and not yet settled, by the key of its operation.
create index if not exists idx_previews_paying on article_previews((details ->> 'paying')) where details ? 'paying';
create index if not exists idx_previews_unknown on article_previews(expires_at) where status = 'unknown';
-- Posts wait here as well. A post that its person left unseen to is gone with the dialogue, and what it cost is spent;
-- one that the platform refused is kept, like an article, and its tokens come back at its end.
alter table article_previews add column if not exists content_type varchar(20) not null default 'article';
select pg_temp.only_known('article_previews', 'content_type', 'previews_content_known',
  array['article', 'social_post']);
alter table article_previews add column if not exists refundable boolean
  generated always as (content_type = 'article' or details ? 'kept') stored;

-- New versions of published articles: proposed, put in place of the old text, taken back.
create table if not exists article_refreshes (
  id             serial primary key,
  publication_id integer not null references publication_logs(id) on delete cascade,
  user_id        bigint not null references users(id) on delete cascade,
  operation_key  text not null unique,
  status         varchar(20) not null default 'proposed',
  post_id        bigint not null,
  before         jsonb not null, -- {title, content, excerpt} as they stood on the site
  after          jsonb not null,
  proposal       jsonb not null, -- what the person is shown
  tokens_charged integer not null default 0,
  created_at     timestamptz not null default now(),
  applied_at     timestamptz
);
select pg_temp.only_known('article_refreshes', 'status', 'refreshes_status_known',
  array['proposed', 'applied', 'undone', 'declined']);
create index if not exists idx_article_refreshes_publication on article_refreshes(publication_id);
create index if not exists idx_article_refreshes_user on article_refreshes(user_id);

create table if not exists prompt_versions (
  id           serial primary key,
  task_type    varchar(50) not null, -- article, social_post, keywords, review, image, description
  version      varchar(20) not null,
  prompt_yaml  text not null,
  is_active    boolean default false,
  success_rate decimal(5, 2),
  avg_quality  decimal(3, 1),
  created_at   timestamptz default now(),
  unique (task_type, version)
);

-- {clusters, phrases} of a category's keywords, in either of the two formats. Whatever is not a list is none.
create or replace function keyword_counts(p_keywords jsonb, out clusters integer, out phrases integer)
language sql immutable as $$
  select
    count(*) filter (where entry ? 'cluster_name')::integer,
    coalesce(sum(
      case
        when not entry ? 'cluster_name' then 1
        when jsonb_typeof(entry -> 'phrases') = 'array' then jsonb_array_length(entry -> 'phrases')
        else 0
      end
    ), 0)::integer
  from jsonb_array_elements(case when jsonb_typeof(p_keywords) = 'array' then p_keywords else '[]' end) as entry
$$;

-- Money ----------------------------------------------------------------------------------------------

create table if not exists payments (
  id                         serial primary key,
  user_id                    bigint not null references users(id), -- no cascade: kept for audit
  provider                   varchar(20) not null,
  status                     varchar(20) not null default 'pending',
  telegram_payment_charge_id varchar(255),
  provider_payment_charge_id varchar(255),
  stars_amount               integer,
  yookassa_payment_id        varchar(255),
  yookassa_payment_method_id varchar(255),
  package_name               varchar(50), -- mini, starter, pro, business, enterprise
  tokens_amount              integer not null,
  amount_rub                 decimal(10, 2),
  is_subscription            boolean default false,
  subscription_id            varchar(255),
  subscription_status        varchar(20),
  subscription_expires_at    timestamptz,
  referral_bonus_credited    boolean default false,
  created_at                 timestamptz default now()
);
select pg_temp.only_known('payments', 'provider', 'payments_provider_known', array['stars', 'yookassa']);
select pg_temp.only_known('payments', 'status', 'payments_status_known',
  array['pending', 'completed', 'refunded', 'failed']);
select pg_temp.only_known('payments', 'subscription_status', 'payments_subscription_status_known',
  array['active', 'paused', 'cancelled']);
create index if not exists idx_payments_user on payments(user_id);
create index if not exists idx_payments_status on payments(status) where status = 'pending';
-- A provider repeats its notices: one charge is one payment.
create unique index if not exists idx_payments_telegram_charge
  on payments(telegram_payment_charge_id) where telegram_payment_charge_id is not null;
create unique index if not exists idx_payments_yookassa
  on payments(yookassa_payment_id) where yookassa_payment_id is not null;

create table if not exists token_expenses (
  id               serial primary key,
  user_id          bigint not null references users(id), -- no cascade: kept for audit
  amount           integer not null, -- negative: charged; positive: bought or returned
  operation_type   varchar(50) not null,
  description      text,
  ai_model         varchar(100),
  input_tokens     integer,
  output_tokens    integer,
  cost_usd         decimal(10, 6),
  created_at       timestamptz default now(),
  -- One key moves money once. operation_amount is what was asked for under it: for an admin, whom nothing
  -- costs anything, it differs from amount.
  operation_key    text,
  operation_amount integer
);
create index if not exists idx_expenses_user on token_expenses(user_id, created_at desc);
create unique index if not exists idx_expenses_operation_key
  on token_expenses(operation_key) where operation_key is not null;

-- The one place where a balance changes. The person's row is locked first, so that two calls with the same
-- key come one after the other and the second finds the ledger row of the first. The same key under another
-- person does not meet that lock; it meets the unique index.
create or replace function move_balance(
  p_user_id bigint, p_change integer, p_free_for_admins boolean, p_may_go_negative boolean,
  p_key text, p_operation_type text, p_description text,
  p_ai_model text, p_input_tokens integer, p_output_tokens integer, p_cost_usd numeric
) returns integer language plpgsql as $$
declare
  v_balance integer;
  v_role text;
  v_change integer := p_change;
  v_description text := p_description;
  v_known_user bigint;
  v_known_amount integer;
begin
  if coalesce(p_key, '') = '' then
    raise exception 'operation_key_missing';
  end if;

  select u.balance, u.role into v_balance, v_role from users u where u.id = p_user_id for no key update;
  if not found then
    raise exception 'user_not_found';
  end if;

  select e.user_id, e.operation_amount into v_known_user, v_known_amount
  from token_expenses e where e.operation_key = p_key;
  if found then
    if v_known_user <> p_user_id or v_known_amount <> p_change then
      raise exception 'operation_key_reused';
    end if;
    return v_balance;
  end if;

  if p_free_for_admins and v_role = 'admin' then
    v_change := 0;
    v_description := concat_ws(' · ', p_description, 'GOD_MODE: ' || abs(p_change));
  end if;
  if v_change < 0 and v_balance + v_change < 0 and not p_may_go_negative then
    raise exception 'insufficient_balance' using detail = v_balance;
  end if;

  insert into token_expenses (user_id, amount, operation_type, description, ai_model,
    input_tokens, output_tokens, cost_usd, operation_key, operation_amount)
  values (p_user_id, v_change, p_operation_type, v_description, p_ai_model,
    p_input_tokens, p_output_tokens, p_cost_usd, p_key, p_change)
  on conflict (operation_key) where operation_key is not null do nothing;
  if not found then
    raise exception 'operation_key_reused';
  end if;

  update users set balance = balance + v_change where id = p_user_id returning balance into v_balance;
  return v_balance;
end
$$;

create or replace function positive_amount(p_amount integer) returns integer language plpgsql immutable as $$
begin
  if p_amount is null or p_amount <= 0 then
    raise exception 'amount_not_positive';
  end if;
  return p_amount;
end
$$;

-- The four doors. Each returns the new balance, or the present one when the key is known.

create or replace function charge_balance(
  p_user_id bigint, p_amount integer, p_key text, p_operation_type text, p_description text default null,
  p_ai_model text default null, p_input_tokens integer default null, p_output_tokens integer default null,
  p_cost_usd numeric default null
) returns integer language sql as $$
  select move_balance(p_user_id, -positive_amount(p_amount), true, false, p_key, p_operation_type, p_description,
    p_ai_model, p_input_tokens, p_output_tokens, p_cost_usd)
$$;

-- Of what was really charged, so also to a person who has become an admin since.
create or replace function refund_balance(
  p_user_id bigint, p_amount integer, p_key text, p_operation_type text default 'refund',
  p_description text default null
) returns integer language sql as $$
  select move_balance(p_user_id, positive_amount(p_amount), false, false, p_key, p_operation_type, p_description,
    null, null, null, null)
$$;

create or replace function credit_balance(
  p_user_id bigint, p_amount integer, p_key text, p_operation_type text, p_description text default null
) returns integer language sql as $$
  select move_balance(p_user_id, positive_amount(p_amount), false, false, p_key, p_operation_type, p_description,
    null, null, null, null)
$$;

-- The provider took the money back: the tokens go, spent or not, also an admin's.
create or replace function force_debit_balance(
  p_user_id bigint, p_amount integer, p_key text, p_operation_type text default 'refund',
  p_description text default null
) returns integer language sql as $$
  select move_balance(p_user_id, -positive_amount(p_amount), false, true, p_key, p_operation_type, p_description,
    null, null, null, null)
$$;

-- Payments -------------------------------------------------------------------------------------------

-- Names the creation of a card payment, so that a repeated request makes no second one.
alter table payments add column if not exists operation_key text;
-- The payment whose period this one continues: a period is renewed once, however many processes try.
alter table payments add column if not exists renews_id integer references payments(id);
-- What the inviter of the payer gets when it is completed, in tokens.
alter table payments add column if not exists referral_tokens integer not null default 0;
alter table payments add column if not exists confirmation_url text;
alter table payments add column if not exists payment_method_title text;
alter table users add column if not exists receipt_email varchar(254);
alter table users add column if not exists consented_at timestamptz;
alter table users add column if not exists consented_to text; -- the policy's address at that time
alter table payments add column if not exists completed_at timestamptz;
alter table payments add column if not exists failure text;
-- Given back so far. `refunded` is a payment that was given back whole.
alter table payments add column if not exists refunded_tokens integer not null default 0;
alter table payments add column if not exists refunded_share numeric not null default 0;
create unique index if not exists idx_payments_operation on payments(operation_key) where operation_key is not null;
create unique index if not exists idx_payments_renews on payments(renews_id) where renews_id is not null;
create index if not exists idx_payments_subscriptions on payments(user_id, subscription_expires_at desc)
  where is_subscription and status = 'completed';

-- The owner's figures. Each index holds all that its query reads, so that the table is not visited.
create index if not exists idx_users_username on users(lower(username)) where username is not null;
-- People who get broadcasts. Partial: an index that also held people without news was too long to be worth reading.
drop index if exists idx_users_reachable;
create index if not exists idx_users_news on users(last_activity) include (id)
  where blocked_at is null and id > 0 and notify_news;
create index if not exists idx_users_since on users(created_at);
create index if not exists idx_payments_completed on payments(user_id, created_at desc)
  include (package_name, referral_bonus_credited) where status = 'completed';
create index if not exists idx_payments_completed_at on payments(created_at desc) include (amount_rub) where status = 'completed';
create index if not exists idx_expenses_api on token_expenses(created_at) include (operation_type, cost_usd)
  where operation_type like 'api\_%';
create index if not exists idx_expenses_referral on token_expenses(user_id) include (amount)
  where operation_type = 'referral_bonus';

-- Who of the admins looked at whom, and changed what. Never changed, never deleted. An operation is recorded once.
create table if not exists admin_audit (
  id            bigserial primary key,
  admin_id      bigint not null,
  action        text not null,
  user_id       bigint,
  details       jsonb not null default '{}',
  operation_key text unique,
  created_at    timestamptz not null default now()
);
create index if not exists idx_admin_audit_user on admin_audit(user_id, id desc);
create index if not exists idx_admin_audit_newest on admin_audit(created_at desc);

-- Messages that the bot sends by itself, and the owner has switched off. Without a row they are on.
create table if not exists automatic_messages (
  name  text primary key,
  is_on boolean not null
);

-- Broadcasts: one message of the owner to many people. The numbers beside `recipients` say what became of each of them and
-- change in the statement that settles a recipient, so they add up at every instant; the rest still waits.
create table if not exists broadcasts (
  id               serial primary key,
  admin_id         bigint not null,
  audience         text not null,
  content          jsonb not null, -- {text, marks, photo}
  is_important     boolean not null default false, -- also to people who switched news off
  status           text not null default 'draft',
  recipients       integer not null default 0,
  sent             integer not null default 0,
  blocked          integer not null default 0,
  failed           integer not null default 0,
  unknown          integer not null default 0,
  unwanted         integer not null default 0, -- switched news off after it had begun
  progress_message text, -- in the owner's chat
  progress_shown   integer, -- how many were settled when it was last edited
  report_until     timestamptz, -- a process is telling the owner how it ended
  is_reported      boolean not null default false,
  created_at       timestamptz not null default now(),
  started_at       timestamptz,
  ended_at         timestamptz
);
select pg_temp.only_known('broadcasts', 'status', 'broadcasts_status_known',
  array['draft', 'sending', 'stopped', 'done']);
select pg_temp.only_known('broadcasts', 'audience', 'broadcasts_audience_known',
  array['all', 'active_7d', 'active_30d', 'paid']);
create index if not exists idx_broadcasts_open on broadcasts(id) where status <> 'draft' and not is_reported;

-- `claimed`: a process will send it, and has not begun; given back when its lease ends. `sending`: it may have arrived, so
-- after the lease it is `unknown` and is not sent again.
create table if not exists broadcast_recipients (
  broadcast_id integer not null references broadcasts(id) on delete cascade,
  user_id      bigint not null, -- no reference: of a person who was forgotten the outcome stays
  status       text not null default 'waiting',
  claim        text,
  lease_until  timestamptz,
  primary key (broadcast_id, user_id)
);
select pg_temp.only_known('broadcast_recipients', 'status', 'recipients_status_known',
  array['waiting', 'claimed', 'sending', 'sent', 'blocked', 'failed', 'unknown', 'unwanted']);
create index if not exists idx_recipients_waiting on broadcast_recipients(broadcast_id, user_id) where status = 'waiting';
create index if not exists idx_recipients_leased on broadcast_recipients(lease_until) where status in ('claimed', 'sending');
create index if not exists idx_recipients_user on broadcast_recipients(user_id);

-- The earliest time of the next broadcast message, for all processes: claiming a batch reserves its sending time here.
create table if not exists broadcast_pace (
  only_row boolean primary key default true check (only_row),
  next_at  timestamptz not null
);
insert into broadcast_pace (next_at) values (now()) on conflict do nothing;

-- Warnings and errors of all processes for the owner, kept for 7 days. Secrets are cut before a line comes here.
create table if not exists error_log (
  id          bigserial primary key,
  ts          timestamptz not null,
  level       text not null,
  message     text not null,
  code        text,
  user_id     bigint,
  correlation text,
  stack       text,
  process     text not null
);
create index if not exists idx_error_log_ts on error_log(ts);

-- A row for every process that runs. One that stops takes its row away; one that died leaves it behind.
create table if not exists processes (
  id         text primary key,
  role       text not null,
  version    text not null,
  memory_mb  integer not null,
  busy       integer not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null default now()
);

-- What the owner was last told about a trouble that lasts; told again when it has doubled.
create table if not exists owner_alerts (
  kind    text primary key,
  amount  double precision not null,
  told_at timestamptz not null default now()
);

-- People who asked to be forgotten: a keyed hash of the messenger's id and nothing else. It is kept so that the welcome
-- bonus is given once.
create table if not exists former_people (
  person_hash text primary key,
  left_at     timestamptz not null default now()
);

-- What they owed when they left: a payment that was given back after its tokens were spent is not paid by leaving.
alter table former_people add column if not exists debt integer not null default 0;

create sequence if not exists anonymous_user_ids increment -1 minvalue -4503599627370496 maxvalue -1 start -1;

-- Projects, connections and texts go; the ledger stays under an anonymous user id, and with it the balance, so that
-- the books add up. A bill that was not paid yet is closed: if its money comes all the same, it is given back.
create or replace function forget_person(p_user_id bigint, p_person_hash text) returns bigint language plpgsql as $$
declare
  v_anonymous bigint := nextval('anonymous_user_ids');
  v_balance integer;
begin
  perform from payments p where p.user_id = p_user_id for update;
  select u.balance into v_balance from users u where u.id = p_user_id for update;
  if not found then
    return null;
  end if;
  insert into users (id, balance, notify_publications, notify_balance, notify_news, blocked_at)
  values (v_anonymous, v_balance, false, false, false, now());
  update payments set user_id = v_anonymous, yookassa_payment_method_id = null, payment_method_title = null,
    confirmation_url = null, failure = case when status = 'pending' then 'person_left' else failure end,
    status = case when status = 'pending' then 'failed' else status end,
    subscription_status = case when is_subscription then 'cancelled' end
  where user_id = p_user_id;
  update token_expenses set user_id = v_anonymous, description = null where user_id = p_user_id;
  -- A recipient still waiting is settled at their turn: the anonymous id has no chat.
  update broadcast_recipients set user_id = v_anonymous where user_id = p_user_id;
  delete from article_previews where user_id = p_user_id;
  delete from conversations where user_id = p_user_id;
  delete from operations where user_id = p_user_id and status <> 'running';
  delete from users where id = p_user_id;
  insert into former_people (person_hash, debt) values (p_person_hash, greatest(0, -v_balance))
  on conflict (person_hash) do update set left_at = now(), debt = excluded.debt;
  return v_anonymous;
end
$$;

-- Makes a person who is not known yet. The welcome bonus is given once: one who was forgotten and comes back starts with
-- nothing, or with their debt. In one statement, so that no crash leaves them with a second bonus.
create or replace function register_person(p_user_id bigint, p_person_hash text) returns void language plpgsql as $$
declare
  v_debt integer;
begin
  insert into users (id) values (p_user_id) on conflict do nothing;
  if not found then
    return;
  end if;
  select debt into v_debt from former_people where person_hash = p_person_hash;
  if not found then
    return;
  end if;
  perform force_debit_balance(p_user_id, 1500, 'welcome:' || p_user_id || ':' || gen_random_uuid(), 'welcome_bonus');
  if v_debt > 0 then
    perform force_debit_balance(p_user_id, v_debt, 'debt:' || p_user_id || ':' || gen_random_uuid(), 'earlier_debt');
  end if;
end
$$;

-- Money that came is credited also to a person who was deleted meanwhile.
create or replace function person_for_payment(p_user_id bigint) returns void language sql as $$
  insert into users (id) values (p_user_id) on conflict do nothing
$$;

-- Payment, credit and referral bonus in one statement, once. `is_fresh` is false for one that was settled before.
-- The order of locks is payment, payer, inviter; inviters form no circle, so two payments cannot wait for each other.
create or replace function settle_payment(p_payment_id integer)
returns table (paid_id integer, payer_id bigint, is_fresh boolean, new_balance integer, bonus_tokens integer, bonus_to bigint)
language plpgsql as $$
declare
  v_payment payments;
begin
  select * into strict v_payment from payments p where p.id = p_payment_id for update;
  paid_id := v_payment.id;
  payer_id := v_payment.user_id;
  is_fresh := v_payment.status in ('pending', 'failed');
  bonus_tokens := 0;
  if not is_fresh then
    select u.balance into new_balance from users u where u.id = v_payment.user_id;
    return next;
    return;
  end if;
  new_balance := credit_balance(v_payment.user_id, v_payment.tokens_amount, 'payment:' || v_payment.id, 'purchase',
    v_payment.package_name);
  select r.id into bonus_to from users u join users r on r.id = u.referrer_id where u.id = v_payment.user_id;
  if bonus_to is not null and v_payment.referral_tokens > 0 then
    bonus_tokens := v_payment.referral_tokens;
    perform credit_balance(bonus_to, bonus_tokens, 'payment:' || v_payment.id || ':referral', 'referral_bonus',
      v_payment.package_name);
  end if;
  update payments p set status = 'completed', completed_at = now(), failure = null,
    referral_bonus_credited = bonus_tokens > 0
  where p.id = v_payment.id;
  return next;
end
$$;

-- A payment in Stars has no row before it is paid: the charge is its key. An old invoice that is paid again is another
-- charge, and is credited again.
create or replace function take_star_payment(
  p_user_id bigint, p_charge_id text, p_package text, p_tokens integer, p_stars integer, p_rub numeric,
  p_referral_tokens integer, p_paid_until timestamptz, p_is_first boolean
) returns table (paid_id integer, payer_id bigint, is_fresh boolean, new_balance integer, bonus_tokens integer, bonus_to bigint)
language plpgsql as $$
declare
  v_id integer;
  v_subscription text;
begin
  perform person_for_payment(p_user_id);
  if p_paid_until is not null then
    -- A subscription is known to Telegram by the charge of its first payment, which may be announced after a renewal.
    v_subscription := case when p_is_first then p_charge_id else (
      select p.subscription_id from payments p
      where p.user_id = p_user_id and p.provider = 'stars' and p.package_name = p_package and p.subscription_id is not null
      order by p.id desc limit 1) end;
    if p_is_first then
      update payments p set subscription_id = p_charge_id
      where p.user_id = p_user_id and p.provider = 'stars' and p.package_name = p_package and p.is_subscription
        and p.subscription_id is null;
    end if;
  end if;
  insert into payments (user_id, provider, telegram_payment_charge_id, stars_amount, package_name, tokens_amount,
    amount_rub, referral_tokens, is_subscription, subscription_id, subscription_status, subscription_expires_at)
  values (p_user_id, 'stars', p_charge_id, p_stars, p_package, p_tokens, p_rub, p_referral_tokens,
    p_paid_until is not null, v_subscription, case when p_paid_until is not null then 'active' end, p_paid_until)
  on conflict (telegram_payment_charge_id) where telegram_payment_charge_id is not null do nothing
  returning id into v_id;
  if v_id is null then
    select p.id into v_id from payments p where p.telegram_payment_charge_id = p_charge_id;
  end if;
  return query select * from settle_payment(v_id);
end
$$;

-- The provider gave a share of the money back, 1 being all of it: tokens go in the same measure, spent or not. The key
-- names the provider's refund. With the last of the money the inviter's bonus goes as well.
create or replace function refund_payment(p_payment_id integer, p_refund_key text, p_share numeric)
returns table (paid_id integer, payer_id bigint, is_fresh boolean, new_balance integer, taken_tokens integer, is_whole boolean)
language plpgsql as $$
declare
  v_payment payments;
  v_bonus record;
begin
  if p_share <= 0 or p_share > 1 then
    raise exception 'refund_share_impossible';
  end if;
  select * into strict v_payment from payments p where p.id = p_payment_id for update;
  paid_id := v_payment.id;
  payer_id := v_payment.user_id;
  is_fresh := v_payment.status = 'completed'
    and not exists (select from token_expenses e where e.operation_key = 'refund:' || p_refund_key);
  taken_tokens := 0;
  is_whole := v_payment.status = 'refunded';
  if not is_fresh then
    select u.balance into new_balance from users u where u.id = v_payment.user_id;
    return next;
    return;
  end if;
  is_whole := v_payment.refunded_share + p_share >= 0.9999;
  taken_tokens := case when is_whole then v_payment.tokens_amount - v_payment.refunded_tokens
    else least(round(v_payment.tokens_amount * p_share), v_payment.tokens_amount - v_payment.refunded_tokens) end;
  if taken_tokens > 0 then
    new_balance := force_debit_balance(v_payment.user_id, taken_tokens, 'refund:' || p_refund_key, 'refund',
      v_payment.package_name);
  else
    select u.balance into new_balance from users u where u.id = v_payment.user_id;
  end if;
  update payments p set refunded_tokens = refunded_tokens + taken_tokens,
    refunded_share = least(1, refunded_share + p_share),
    status = case when is_whole then 'refunded' else status end,
    subscription_status = case when is_whole and p.is_subscription then 'cancelled' else subscription_status end
  where p.id = v_payment.id;
  if is_whole then
    for v_bonus in
      select e.user_id, e.amount from token_expenses e where e.operation_key = 'payment:' || v_payment.id || ':referral'
    loop
      perform force_debit_balance(v_bonus.user_id, v_bonus.amount, 'payment:' || v_payment.id || ':referral:back',
        'referral_bonus', v_payment.package_name);
    end loop;
  end if;
  return next;
end
$$;

-- Keyed operations -----------------------------------------------------------------------------------

create table if not exists operations (
  key          text primary key,
  user_id      bigint not null,
  request_hash text not null,
  status       text not null default 'running',
  lease_token  text,
  lease_until  timestamptz,
  -- Stage name → its result as JSON text. Text inside, and json instead of jsonb below, because a model's
  -- answer may carry \u0000 or half an emoji, which jsonb refuses: the work would be done and not noted.
  stages       jsonb not null default '{}',
  result       json,
  error        text, -- of the latest attempt
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);
-- A job: work without a person's session, begun by any process that finds it due. Other operations have no kind.
alter table operations add column if not exists kind text;
alter table operations add column if not exists payload text;
alter table operations add column if not exists run_after timestamptz;
alter table operations add column if not exists attempts integer not null default 0;
select pg_temp.only_known('operations', 'status', 'operations_status_known', array['running', 'done', 'failed']);
create index if not exists idx_operations_due on operations(run_after) where kind is not null and status = 'running';
-- For the sweep. Not by updated_at: every stage of an operation would have to touch the index.
create index if not exists idx_operations_created on operations(created_at);
-- For the sweeps of abandoned work and of stages that have served their purpose: few rows qualify at any time.
create index if not exists idx_operations_running on operations(created_at) where status = 'running';
create index if not exists idx_operations_stages on operations(updated_at) where status = 'done' and stages <> '{}';

-- Earlier versions claimed a draft as "published" before it was. Those whose publication never ended are claims.
update article_previews a
set status = 'publishing', claim_until = now() + interval '5 minutes',
  details = a.details || jsonb_build_object('publishingTo',
    regexp_replace(a.details ->> 'publishing', '^draft:\d+:publish:\d+:', ''))
from operations o
where a.status = 'published' and o.key = a.details ->> 'publishing' and o.status = 'running'
  and not exists (select from publication_logs l where l.operation_key = o.key);

-- Sessions -------------------------------------------------------------------------------------------

create table if not exists conversations (
  id            bigserial primary key,
  user_id       bigint not null,
  provider_type varchar(50) not null, -- openai, gemini
  role          varchar(50) not null, -- system, user, assistant
  content       text not null,
  metadata      jsonb,
  created_at    timestamptz not null default now(),
  finished_at   timestamptz -- null: the active session
);
create index if not exists idx_conversations_user_provider
  on conversations(user_id, provider_type, finished_at, created_at);
-- For the sweep: dialogues that went quiet, and finished ones whose month is over.
create index if not exists idx_conversations_open on conversations(created_at) where finished_at is null;
create index if not exists idx_conversations_finished on conversations(finished_at) where finished_at is not null;

-- A turn that ends in the background and the menu that ends its dialogue may meet: one waits for the other.
create or replace function lock_conversations(p_user_id bigint) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('conversations:' || p_user_id, 0))
$$;

-- metadata: {case_id, channel: dialogue | reviewer, session, turn, achieved, total}. Both functions return how many
-- messages they finished; a second call finishes none.
create or replace function clear_case_conversations(p_case_id text, p_user_id bigint) returns integer
language sql as $$
  select lock_conversations(p_user_id);
  with finished as (
    update conversations set finished_at = clock_timestamp()
    where user_id = p_user_id and finished_at is null and metadata ->> 'case_id' = p_case_id
    returning 1
  )
  select count(*)::integer from finished
$$;

create or replace function clear_all_conversations(p_user_id bigint) returns integer language sql as $$
  select lock_conversations(p_user_id);
  with finished as (
    update conversations set finished_at = clock_timestamp()
    where user_id = p_user_id and finished_at is null
    returning 1
  )
  select count(*)::integer from finished
$$;

-- One row per person: the session, and the lock of the process that is changing it. A row without a session
-- (revision 0, or expired) is only a lock.
create table if not exists fsm_storage (
  storage_key      varchar(255) primary key, -- "bot_id:chat_id:user_id"
  bot_id           bigint,
  chat_id          bigint,
  user_id          bigint,
  state            varchar(255), -- for the reader, e.g. "ProjectCreate:name"
  -- JSON kept as text: a damaged session must come back as it was, so that its reader can tell the person.
  data             text not null default '{}',
  updated_at       timestamptz not null default now(),
  revision         integer not null default 0,
  shown_revision   integer,
  shown_message_id text, -- opaque: every messenger names its messages in its own way
  attention_at     timestamptz,
  lock_token       text,
  lock_until       timestamptz,
  throttle_count   integer not null default 0,
  throttle_until   timestamptz,
  expires_at       timestamptz not null default now()
);
-- Part of the session → when a sweep should look at it, and who does until then: {"<run>": {"at": ms, "owner": "…"}}.
-- attention_at is the earliest of them, or later while a sweep has claimed the person.
alter table fsm_storage add column if not exists attention jsonb;
-- The owner of the time when there was one for the whole session. attention_at of such a session stays: a sweep looks at it.
alter table fsm_storage drop column if exists attention_owner;
create index if not exists idx_fsm_storage_user on fsm_storage(user_id, updated_at);
create index if not exists idx_fsm_storage_attention on fsm_storage(attention_at) where attention_at is not null;
create index if not exists idx_fsm_storage_expires on fsm_storage(expires_at);

create table if not exists session_waiters (
  bot_id   bigint not null,
  user_id  bigint not null,
  ticket   text not null,
  position bigint not null, -- the lowest goes first
  asked_at timestamptz not null,
  primary key (bot_id, user_id, ticket)
);

create table if not exists seen_updates (
  bot_id    bigint not null,
  user_id   bigint not null,
  update_id bigint not null,
  seen_at   timestamptz not null,
  primary key (bot_id, user_id, update_id)
);
create index if not exists idx_seen_updates_age on seen_updates(seen_at);
create index if not exists idx_seen_updates_newest on seen_updates(bot_id, user_id, seen_at desc);

create or replace function session_key(p_bot_id bigint, p_user_id bigint) returns text
language sql immutable as $$
  select p_bot_id || ':' || p_user_id || ':' || p_user_id -- a private chat has the person's id
$$;

create or replace function note_seen_update(p_bot_id bigint, p_user_id bigint, p_update_id bigint, p_kept integer)
returns void language sql as $$
  insert into seen_updates (bot_id, user_id, update_id, seen_at)
  select p_bot_id, p_user_id, p_update_id, clock_timestamp() where p_update_id is not null
  on conflict (bot_id, user_id, update_id) do update set seen_at = excluded.seen_at;

  delete from seen_updates s using (
    select update_id from seen_updates
    where bot_id = p_bot_id and user_id = p_user_id order by seen_at desc, update_id desc offset p_kept
  ) old
  where s.bot_id = p_bot_id and s.user_id = p_user_id and s.update_id = old.update_id;
$$;

create or replace function earliest_attention(p_attention jsonb) returns timestamptz language sql immutable as $$
  select to_timestamp(min((part.value ->> 'at')::double precision) / 1000) from jsonb_each(p_attention) part
$$;

-- As they were with one attention for the whole session.
drop function if exists session_acquire(
  bigint, bigint, text, bigint, bigint, integer, double precision, double precision, double precision);
drop function if exists session_save(
  bigint, bigint, integer, text, text, timestamptz, text, double precision, bigint, integer);
drop function if exists session_release(
  bigint, bigint, text, integer, integer, bigint, boolean, timestamptz, text, bigint, integer);

-- Ids of messages were Telegram's numbers.
do $$
begin
  if (select data_type from information_schema.columns where table_schema = current_schema()
      and table_name = 'fsm_storage' and column_name = 'shown_message_id') = 'bigint' then
    drop function if exists session_acquire(
      bigint, bigint, text, bigint, bigint, integer, double precision, double precision, double precision, boolean);
    drop function if exists session_save(
      bigint, bigint, integer, text, text, jsonb, double precision, bigint, integer, double precision);
    drop function if exists session_release(
      bigint, bigint, text, integer, integer, bigint, jsonb, bigint, integer);
    alter table fsm_storage alter column shown_message_id type text using shown_message_id::text;
  end if;
end
$$;

-- One attempt to get a person's lock; everything is decided under the row's lock, by this server's clock.
create or replace function session_acquire(
  p_bot_id bigint, p_user_id bigint, p_ticket text, p_order bigint, p_update_id bigint,
  p_throttle_per_minute integer, p_lease_ms double precision, p_waiter_ttl_ms double precision,
  p_seen_ttl_seconds double precision, p_once boolean
) returns table (
  outcome text, revision integer, session text, shown_revision integer, shown_message_id text, attention jsonb
) language plpgsql as $$
declare
  v_row fsm_storage;
  v_now timestamptz;
  v_position bigint := coalesce(p_order, 9223372036854775807);
  v_waiting boolean;
  v_counted boolean := false;
begin
  loop
    select * into v_row from fsm_storage s where s.storage_key = session_key(p_bot_id, p_user_id) for update;
    exit when found;
    insert into fsm_storage (storage_key, bot_id, chat_id, user_id)
    values (session_key(p_bot_id, p_user_id), p_bot_id, p_user_id, p_user_id)
    on conflict (storage_key) do nothing;
  end loop;
  v_now := clock_timestamp(); -- not now(): the row may have been waited for

  select true into v_waiting from session_waiters w
  where w.bot_id = p_bot_id and w.user_id = p_user_id and w.ticket = p_ticket;

  if p_throttle_per_minute is not null and v_waiting is null and v_row.lock_token is distinct from p_ticket then
    if coalesce(v_row.throttle_until <= v_now, true) then
      v_row.throttle_count := 0;
      v_row.throttle_until := v_now + interval '1 minute';
    end if;
    if v_row.throttle_count >= p_throttle_per_minute then
      return query select 'throttled', 0, null::text, null::integer, null::text, null::jsonb;
      return;
    end if;
    v_row.throttle_count := v_row.throttle_count + 1;
    v_counted := true;
  end if;

  if v_row.lock_until > v_now and v_row.lock_token = p_ticket then
    null; -- held already: the lease is renewed below, also while others wait
  elsif v_row.lock_until > v_now or exists (
    select from session_waiters w
    where w.bot_id = p_bot_id and w.user_id = p_user_id and w.ticket <> p_ticket and w.position < v_position
      and w.asked_at > v_now - p_waiter_ttl_ms * interval '1 ms'
  ) then
    if not p_once then
      insert into session_waiters (bot_id, user_id, ticket, position, asked_at)
      values (p_bot_id, p_user_id, p_ticket, v_position, v_now)
      on conflict (bot_id, user_id, ticket) do update set asked_at = excluded.asked_at;
    end if;
    if v_counted then
      update fsm_storage s set throttle_count = v_row.throttle_count, throttle_until = v_row.throttle_until
      where s.storage_key = v_row.storage_key;
    end if;
    return query select 'wait', 0, null::text, null::integer, null::text, null::jsonb;
    return;
  end if;

  update fsm_storage s
  set lock_token = p_ticket, lock_until = v_now + p_lease_ms * interval '1 ms',
    throttle_count = v_row.throttle_count, throttle_until = v_row.throttle_until
  where s.storage_key = v_row.storage_key;
  if v_waiting then
    delete from session_waiters w where w.bot_id = p_bot_id and w.user_id = p_user_id and w.ticket = p_ticket;
  end if;

  if v_row.expires_at <= v_now then
    v_row.revision := 0;
  end if;
  outcome := case when p_update_id is not null and exists (
    select from seen_updates u
    where u.bot_id = p_bot_id and u.user_id = p_user_id and u.update_id = p_update_id
      and u.seen_at > v_now - p_seen_ttl_seconds * interval '1 second'
  ) then 'repeat' else 'held' end;
  revision := v_row.revision;
  if v_row.revision > 0 then
    session := v_row.data;
    shown_revision := v_row.shown_revision;
    shown_message_id := v_row.shown_message_id;
    attention := v_row.attention;
  end if;
  return next;
end
$$;

-- No row: the writer lost. The revision is no longer the one that was read, or an earlier update waits for its turn.
create or replace function session_save(
  p_bot_id bigint, p_user_id bigint, p_revision integer, p_data text, p_state text,
  p_attention jsonb, p_ttl_ms double precision,
  p_update_id bigint, p_seen_kept integer, p_waiter_ttl_ms double precision
) returns table (revision integer, shown_revision integer, shown_message_id text) language plpgsql as $$
declare
  v_row fsm_storage;
begin
  select * into v_row from fsm_storage s where s.storage_key = session_key(p_bot_id, p_user_id) for update;
  if not found then
    v_row.revision := 0;
  elsif v_row.expires_at <= clock_timestamp() then
    v_row.revision := 0;
    v_row.shown_revision := null;
    v_row.shown_message_id := null;
  end if;
  if v_row.revision <> p_revision or exists (
    select from session_waiters w
    where w.bot_id = p_bot_id and w.user_id = p_user_id and w.position < p_update_id
      and w.asked_at > clock_timestamp() - p_waiter_ttl_ms * interval '1 ms'
  ) then
    return;
  end if;

  insert into fsm_storage as s (storage_key, bot_id, chat_id, user_id, state, data, updated_at, revision,
    attention, attention_at, expires_at)
  values (session_key(p_bot_id, p_user_id), p_bot_id, p_user_id, p_user_id, p_state, p_data, clock_timestamp(),
    p_revision + 1, p_attention, earliest_attention(p_attention), clock_timestamp() + p_ttl_ms * interval '1 ms')
  on conflict (storage_key) do update
  set state = excluded.state, data = excluded.data, updated_at = excluded.updated_at,
    revision = excluded.revision, attention = excluded.attention,
    attention_at = excluded.attention_at, expires_at = excluded.expires_at,
    shown_revision = v_row.shown_revision, shown_message_id = v_row.shown_message_id
  -- Without a row there was nothing to lock above: of two first saves the second stops here.
  where s.revision = v_row.revision or s.expires_at <= clock_timestamp();
  if not found then
    return;
  end if;
  if p_update_id is not null then
    perform note_seen_update(p_bot_id, p_user_id, p_update_id, p_seen_kept);
  end if;
  return query select p_revision + 1, v_row.shown_revision, v_row.shown_message_id;
end
$$;

-- Without p_attention it stays as it is.
create or replace function session_release(
  p_bot_id bigint, p_user_id bigint, p_token text, p_revision integer,
  p_shown_revision integer, p_shown_message_id text,
  p_attention jsonb,
  p_update_id bigint, p_seen_kept integer
) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row fsm_storage;
begin
  select * into v_row from fsm_storage s where s.storage_key = session_key(p_bot_id, p_user_id) for update;
  if found then
    if v_row.lock_token = p_token then
      v_row.lock_token := null;
      v_row.lock_until := null;
    end if;
    if v_row.expires_at > v_now then
      if p_shown_revision >= coalesce(v_row.shown_revision, 0) then
        v_row.shown_revision := p_shown_revision;
        v_row.shown_message_id := p_shown_message_id;
      end if;
      if p_attention is not null and v_row.revision = p_revision then
        v_row.attention := p_attention;
        v_row.attention_at := earliest_attention(p_attention);
      end if;
    end if;
    update fsm_storage s
    set lock_token = v_row.lock_token, lock_until = v_row.lock_until,
      shown_revision = v_row.shown_revision, shown_message_id = v_row.shown_message_id,
      attention = v_row.attention, attention_at = v_row.attention_at
    where s.storage_key = v_row.storage_key;
  end if;
  if p_update_id is not null then
    perform note_seen_update(p_bot_id, p_user_id, p_update_id, p_seen_kept);
  end if;
end
$$;

-- False when that part of the session is not this owner's.
create or replace function session_postpone(
  p_bot_id bigint, p_user_id bigint, p_part text, p_at double precision, p_owner text
) returns boolean language plpgsql as $$
begin
  update fsm_storage s
  set attention = next.attention, attention_at = earliest_attention(next.attention)
  from (
    select f.storage_key, jsonb_set(f.attention, array[p_part, 'at'], to_jsonb(p_at)) as attention
    from fsm_storage f
    where f.storage_key = session_key(p_bot_id, p_user_id) and f.expires_at > clock_timestamp()
      and f.attention -> p_part ->> 'owner' = p_owner
    for update
  ) next
  where s.storage_key = next.storage_key;
  return found;
end
$$;

-- Events from outside that a session has not taken yet: payments, OAuth callbacks, finished jobs, deadlines, albums. The
-- session itself notes the last ones it took, so that a letter which was applied and not settled is not applied again.
create table if not exists inbox (
  seq           bigserial,
  bot_id        bigint not null,
  id            text not null,
  user_id       bigint not null,
  flow          text, -- null: whatever flow the person is in
  run           text,
  event         text not null, -- JSON kept as text: it may carry \u0000, which jsonb refuses
  parts         jsonb not null default '[]',
  due_at        timestamptz not null,
  claimed_until timestamptz,
  created_at    timestamptz not null default now(),
  settled_at    timestamptz,
  outcome       text,
  primary key (bot_id, id)
);
create index if not exists idx_inbox_due on inbox(bot_id, due_at) where settled_at is null;
create index if not exists idx_inbox_open on inbox(bot_id, user_id, seq) where settled_at is null;
create index if not exists idx_inbox_settled on inbox(settled_at) where settled_at is not null;

create table if not exists key_values (
  key        text primary key,
  value      text not null,
  expires_at timestamptz not null
);
create index if not exists idx_key_values_expires on key_values(expires_at);

-- Autoposting: what is kept ---------------------------------------------------------------------------

-- One message, many channels, with guarantees that live here and not in the callers: dedup, slots, order,
-- parallel sends, attempts and status changes. A workspace is a tenant: it is part of every key. Where the order of an
-- index is free, the workspace stands last: a planner that knows nothing yet of a new tenant would take any index that
-- starts with it for as good as the primary key.

create table if not exists workspaces (
  workspace_id text primary key,
  name         text not null,
  status       text not null default 'active',
  claim_cursor text not null default '', -- the channel at which the latest claim stopped
  created_at   timestamptz not null default now()
) with (fillfactor = 50);
select pg_temp.only_known('workspaces', 'status', 'workspaces_status_known', array['active', 'paused', 'disabled']);

create table if not exists workspace_endpoints (
  workspace_id         text not null references workspaces(workspace_id) on delete cascade,
  endpoint_id          text not null,
  kind                 text not null,
  secret_hash          text not null, -- sha256 in hex; the secret itself is kept nowhere
  enabled              boolean not null default true,
  ingress_rps          double precision not null default 5,
  max_payload_bytes    integer not null default 262144,
  hash_drop_window_sec integer not null default 10,
  meta                 jsonb not null default '{}',
  -- When the last admitted request would have come at an even pace: more than a second ahead is a flood.
  paced_until          timestamptz,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  primary key (workspace_id, endpoint_id)
);
select pg_temp.only_known('workspace_endpoints', 'kind', 'endpoints_kind_known', array['webhook_push', 'bot_webhook']);
create unique index if not exists idx_endpoints_secret on workspace_endpoints(kind, secret_hash) where enabled;

create table if not exists channels (
  workspace_id     text not null references workspaces(workspace_id) on delete cascade,
  channel_id       text not null,
  platform         text not null,
  target_id        text not null,
  auth_ref         text not null,
  rate_group       text not null,
  enabled          boolean not null default true,
  title            text,
  send_mode        text not null default 'mixed',
  rate_rps         double precision default 1 check (rate_rps >= 0), -- null or 0: no limit
  -- 1 also keeps the order strictly: nothing overtakes an earlier delivery that waits for its next try.
  max_parallel     integer not null default 1 check (max_parallel >= 1),
  next_allowed_at  timestamptz, -- the first slot not given away yet
  last_send_at     timestamptz, -- the moment given to the latest send
  paused_until     timestamptz,
  timezone         text not null default 'UTC',
  window_mode      text not null default 'immediate',
  posting_window   jsonb, -- {"mon": [["09:00", "18:00"]], ...}, see next_window_start
  closed_until     timestamptz, -- next_window_start as last computed
  dedup_ttl_hours  integer default 168,
  -- A send whose answer was lost may be repeated without asking: a post may come twice, none is missing.
  allow_duplicates boolean not null default false,
  error_streak     integer not null default 0,
  settings         jsonb not null default '{}',
  tags             text[] not null default '{}',
  route_filter     jsonb, -- {include_any, include_all, exclude}; null: every message
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (workspace_id, channel_id),
  unique (target_id, platform, workspace_id)
) with (fillfactor = 50); -- gates move with every send: room for them on the same page
select pg_temp.only_known('channels', 'platform', 'channels_platform_known', array['telegram', 'max']);
select pg_temp.only_known('channels', 'send_mode', 'channels_send_mode_known', array['text', 'media', 'mixed']);
select pg_temp.only_known('channels', 'window_mode', 'channels_window_mode_known', array['immediate', 'windowed']);
alter table channels add column if not exists expire_hours integer default 72
  constraint channels_expire_hours_positive check (expire_hours > 0); -- how long a post may wait; null: for ever
create index if not exists idx_channels_enabled on channels(workspace_id, enabled) where enabled;
-- Those whom the next success forgives: few, and looked for with every result.
create index if not exists idx_channels_failing on channels(workspace_id, channel_id) where error_streak > 0;
create index if not exists idx_channels_tags on channels using gin (tags);

create table if not exists channel_auth (
  workspace_id text not null,
  channel_id   text not null,
  auth_ref     text not null,
  rotated_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references channels(workspace_id, channel_id) on delete cascade
);

create table if not exists credential_bindings (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  auth_ref     text not null,
  platform     text not null,
  secret_ref   text not null, -- a sealed token, or the name of a secret kept elsewhere; never in the clear
  rotated_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, auth_ref, platform)
);
select pg_temp.only_known('credential_bindings', 'platform', 'bindings_platform_known', array['telegram', 'max']);

create table if not exists platform_limits (
  workspace_id    text not null references workspaces(workspace_id) on delete cascade,
  platform        text not null,
  rate_group      text not null,
  rate_rps        double precision check (rate_rps >= 0), -- null or 0: no limit
  next_allowed_at timestamptz,
  last_send_at    timestamptz,
  -- The provider asked the whole group to wait. Apart from next_allowed_at, which runs ahead of slots already
  -- given away and so cannot stop those.
  cooldown_until  timestamptz,
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, platform, rate_group)
) with (fillfactor = 50);
select pg_temp.only_known('platform_limits', 'platform', 'limits_platform_known', array['telegram', 'max']);
-- The breaker of a group, see trip_group. failures: how often running it was opened; 0 is closed. Above 0 the group is
-- open until cooldown_until, and then one claim at a time may probe it, under a lease of its own.
alter table platform_limits add column if not exists failures integer not null default 0;
alter table platform_limits add column if not exists failing_since timestamptz;
alter table platform_limits add column if not exists probe_token text; -- the claim that probes
alter table platform_limits add column if not exists probe_until timestamptz;
create index if not exists idx_limits_failing on platform_limits(workspace_id) where failures > 0;

create table if not exists messages (
  workspace_id          text not null references workspaces(workspace_id) on delete cascade,
  message_id            uuid not null,
  hash_version          integer not null default 1,
  content_hash          text not null,
  normalization_version integer,
  payload               jsonb not null, -- {type, text, media: [], links: [], meta: {parse_mode, ...}}
  tags                  text[] not null default '{}',
  source                jsonb,
  source_ref            text,
  first_seen_trace_id   text,
  first_ingest_run_id   text,
  last_seen_at          timestamptz not null default now(),
  last_ingest_run_id    text,
  seen_count            bigint not null default 1,
  created_at            timestamptz not null default now(),
  primary key (workspace_id, message_id),
  unique (content_hash, hash_version, workspace_id)
);
create index if not exists idx_messages_created on messages(workspace_id, created_at);
create index if not exists idx_messages_tags on messages using gin (tags);

create table if not exists media_origin (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  blob_ref     text not null,
  origin_url   text not null,
  sha256       text,
  content_type text,
  size_bytes   bigint,
  last_seen_at timestamptz not null default now(),
  ref_count    bigint not null default 0,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, blob_ref)
);

create table if not exists media_blobs (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  blob_ref     text not null,
  provider     text not null,
  file_id      text,
  url          text,
  expires_at   timestamptz,
  meta         jsonb,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, blob_ref, provider)
);

create table if not exists deliveries (
  workspace_id        text not null,
  delivery_id         uuid not null,
  -- The order of a channel. Not created_at: a clock may be set back, and one statement has one time.
  seq                 bigint generated always as identity,
  message_id          uuid not null,
  channel_id          text not null,
  hash_version        integer not null,
  content_hash        text not null,
  not_before          timestamptz not null default now(),
  scheduled_for       timestamptz,
  status              text not null default 'queued',
  -- Names for the two indexes of the queue: asked for by them, a planner without statistics has no other to choose.
  is_waiting          boolean generated always as (status in ('queued', 'retry')) stored,
  is_in_hand          boolean generated always as (status in ('claimed', 'sending')) stored,
  attempt             integer not null default 0,
  attempt_limit       integer not null default 5, -- raised by a requeue: a dead delivery has used up its own
  next_retry_at       timestamptz,
  provider_message_id text,
  sent_at             timestamptz,
  last_error          jsonb,
  rendered_text       text,
  render_meta         jsonb not null default '{}',
  template_version    text,
  trace_id            text,
  enqueue_batch_id    uuid,
  claimed_at          timestamptz,
  claim_token         text, -- kept when the delivery ends: its owner may say the same thing twice
  heartbeat_at        timestamptz,
  sending_started_at  timestamptz,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  primary key (workspace_id, delivery_id),
  foreign key (workspace_id, channel_id) references channels(workspace_id, channel_id),
  foreign key (workspace_id, message_id) references messages(workspace_id, message_id)
);
-- Every delivery leaves three dead versions behind. Swept by a fiftieth of the table, a million old rows were read so
-- often that a new delivery cost a tenth more; by a tenth of it, it costs hardly more than in an empty one.
alter table deliveries set (
  autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_analyze_threshold = 500
);
select pg_temp.only_known('deliveries', 'status', 'deliveries_status_known',
  array['queued', 'claimed', 'sending', 'sent', 'retry', 'deduped', 'failed_permanent', 'dead', 'unknown']);
-- What still waits then is given up. Rows from before there was such a time get one, once.
alter table deliveries add column if not exists expires_at timestamptz; -- 'infinity': never
-- The attempt is on record and its call is not made yet: there are files to bring first. A worker that dies meanwhile
-- has sent nothing.
alter table deliveries add column if not exists is_preparing boolean not null default false;
update deliveries set expires_at = greatest(now(), not_before) + interval '3 days' where is_waiting and expires_at is null;
create index if not exists idx_deliveries_expiry on deliveries(expires_at) where is_waiting;
-- Finished deliveries are in none of the indexes that the queue reads: a million old rows cost nothing. Claimed ones
-- have an index of their own.
drop index if exists idx_deliveries_retry; -- held also what has no next try
create index if not exists idx_deliveries_next_try on deliveries(workspace_id, status, next_retry_at)
  where next_retry_at is not null;
create index if not exists idx_deliveries_due on deliveries(workspace_id, status, not_before, next_retry_at)
  where status not in ('sent', 'deduped', 'claimed', 'sending');
create index if not exists idx_deliveries_waiting on deliveries(workspace_id, channel_id, seq) where is_waiting;
create index if not exists idx_deliveries_in_hand on deliveries(workspace_id, channel_id, seq) where is_in_hand;
create index if not exists idx_deliveries_sent
  on deliveries(workspace_id, channel_id, hash_version, content_hash, sent_at)
  where status = 'sent' and sent_at is not null;
-- "unknown" belongs to what is in flight: it may have arrived.
create index if not exists idx_deliveries_inflight
  on deliveries(workspace_id, channel_id, hash_version, content_hash, created_at)
  where status in ('queued', 'claimed', 'sending', 'retry', 'unknown');
create index if not exists idx_deliveries_history on deliveries(workspace_id, channel_id, hash_version, content_hash)
  where status in ('sent', 'deduped');
create unique index if not exists idx_deliveries_batch
  on deliveries(workspace_id, enqueue_batch_id, channel_id, hash_version, content_hash)
  where enqueue_batch_id is not null;
create index if not exists idx_deliveries_message on deliveries(message_id, workspace_id);

create table if not exists events (
  workspace_id text not null,
  id           uuid primary key,
  delivery_id  uuid,
  message_id   uuid,
  channel_id   text,
  ts           timestamptz not null default now(),
  action       text not null,
  attempt      integer not null default 0,
  result       text not null default 'ok',
  error        jsonb,
  -- Always empty today: of a provider's answer only the masked excerpt of short_error and short_meta is kept, and a
  -- refusal of Telegram or MAX fits into it. Reserved for full answers in an outside store, sealed, with their own
  -- retention and access log.
  payload_ref  text,
  meta         jsonb not null default '{}'
) with (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_vacuum_scale_factor = 0.05);
select pg_temp.only_known('events', 'result', 'events_result_known', array['ok', 'error']);
select pg_temp.only_known('events', 'action', 'events_action_known', array[
  'enqueue', 'validation_failed', 'send_attempt', 'sent', 'retry_scheduled', 'dedup_suppressed', 'failed_permanent',
  'dead_letter', 'channel_paused', 'channel_disabled', 'channel_enabled', 'message_tag_mismatch',
  'sending_lease_expired', 'claimed_lease_expired', 'manual_requeue', 'auth_rotated', 'ingress_rate_limited',
  'ingress_payload_rejected', 'ingress_dedup_dropped', 'result_unknown', 'unknown_resolved', 'late_result',
  'group_cooldown', 'group_recovered', 'group_resumed', 'configured', 'pull_failed', 'pull_rejected']);
create index if not exists idx_events_ts on events(workspace_id, ts desc);
create index if not exists idx_events_action on events(workspace_id, action, ts desc);
drop index if exists idx_events_errors; -- held errors only; the next one holds every result
create index if not exists idx_events_result on events(workspace_id, result, ts desc);
create index if not exists idx_events_delivery on events(workspace_id, delivery_id, ts desc)
  where delivery_id is not null;
create index if not exists idx_events_message on events(workspace_id, message_id, ts desc)
  where message_id is not null;
create index if not exists idx_events_channel on events(workspace_id, channel_id, ts desc)
  where channel_id is not null;

create table if not exists pull_sources (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  source_id    text not null,
  kind         text not null, -- rss, db, api
  config_json  jsonb not null default '{}',
  enabled      boolean not null default true,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, source_id)
);
alter table pull_sources add column if not exists sealed_secret text; -- a connection address, headers
-- When it is looked at next is data: any process may do it, and one at a time holds it.
alter table pull_sources add column if not exists next_run_at timestamptz not null default now();
alter table pull_sources add column if not exists lease_token text;
alter table pull_sources add column if not exists lease_until timestamptz;
alter table pull_sources add column if not exists failures integer not null default 0;
create index if not exists idx_pull_sources_due on pull_sources(next_run_at) where enabled;

create table if not exists pull_cursors (
  workspace_id text not null,
  source_id    text not null,
  cursor_json  jsonb not null default '{}', -- {last_seen_ts, last_seen_id, etag, ...}
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, source_id),
  foreign key (workspace_id, source_id) references pull_sources(workspace_id, source_id) on delete cascade
);

create table if not exists ingest_runs (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  run_id       text not null,
  kind         text not null,
  started_at   timestamptz not null default now(),
  finished_at  timestamptz,
  stats_json   jsonb not null default '{}',
  primary key (workspace_id, run_id)
);
select pg_temp.only_known('ingest_runs', 'kind', 'ingest_runs_kind_known', array['push', 'pull']);

create table if not exists ingress_receipts (
  workspace_id  text not null,
  endpoint_id   text not null,
  endpoint_kind text not null,
  source_ref    text,
  payload_hash  text not null,
  received_at   timestamptz not null default now(),
  expires_at    timestamptz not null,
  foreign key (workspace_id, endpoint_id) references workspace_endpoints(workspace_id, endpoint_id) on delete cascade
);
select pg_temp.only_known('ingress_receipts', 'endpoint_kind', 'receipts_kind_known',
  array['webhook_push', 'bot_webhook']);
create unique index if not exists idx_receipts_source on ingress_receipts(workspace_id, endpoint_id, source_ref)
  where source_ref is not null;
create index if not exists idx_receipts_hash
  on ingress_receipts(workspace_id, endpoint_id, payload_hash, received_at desc);
create index if not exists idx_receipts_expires on ingress_receipts(expires_at);

-- Where the round of a dispatcher over the workspaces stands.
create table if not exists dispatcher_state (
  dispatcher        text primary key,
  workspace_id_last text not null default '',
  updated_at        timestamptz not null default now()
);

-- Recurring jobs, each run by the process that claims it first: who ran it last, and until when its lease holds.
create table if not exists autopost_jobs (
  job        text primary key,
  ran_by     text not null,
  ran_at     timestamptz not null,
  busy_until timestamptz, -- null: finished
  report     jsonb -- what came of it
);

-- What the watchman has told a person and what still stands, so that no restart and no other process tells it again.
create table if not exists autopost_alerts (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  condition    text not null,
  amount       integer not null,
  newest_at    timestamptz,
  told_at      timestamptz not null,
  primary key (workspace_id, condition)
);

-- Autoposting: the rules ------------------------------------------------------------------------------

-- The life of a delivery, as machines/delivery.ts draws it: "new" is before its row exists. Every other change of
-- status is refused. plpgsql and not SQL: the triggers below would parse an SQL function again in every statement.
create or replace function delivery_may_move(p_from text, p_to text) returns boolean language plpgsql immutable as $$
begin
  return p_from || ' > ' || p_to in (
    'new > queued', 'new > deduped', 'new > failed_permanent',
    'queued > claimed', 'queued > deduped', 'queued > failed_permanent', 'queued > dead',
    'claimed > sending', 'claimed > queued', 'claimed > retry', 'claimed > dead',
    'sending > sent', 'sending > retry', 'sending > failed_permanent', 'sending > dead', 'sending > unknown',
    'unknown > sent', 'unknown > retry', 'unknown > failed_permanent', 'unknown > dead',
    'retry > claimed', 'retry > deduped', 'retry > failed_permanent', 'retry > dead',
    'failed_permanent > retry', 'dead > retry');
end
$$;

create or replace function refuse_delivery_move() returns trigger language plpgsql as $$
begin
  raise exception 'delivery_move_refused'
    using detail = case tg_op when 'INSERT' then 'new' else old.status end || ' > ' || new.status;
end
$$;
create or replace trigger deliveries_start before insert on deliveries
  for each row when (not delivery_may_move('new', new.status)) execute function refuse_delivery_move();
create or replace trigger deliveries_move before update of status on deliveries
  for each row when (old.status <> new.status and not delivery_may_move(old.status, new.status))
  execute function refuse_delivery_move();

-- Channels are configured by hand as well. An invalid time zone or window is refused here, where the
-- operator sees it: later it would stop the claims of the whole workspace. Tags are brought to their one spelling.
create or replace function check_channel() returns trigger language plpgsql as $$
begin
  if exists (
    select from jsonb_object_keys(new.posting_window) as day
    where day not in ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')
  ) then
    raise exception 'posting_window_day_unknown' using errcode = 'check_violation';
  end if;
  perform now() at time zone new.timezone, next_window_start(new.timezone, new.posting_window, now());
  new.tags := canonical_tags(to_jsonb(new.tags));
  new.route_filter := (
    select jsonb_object_agg(rule, to_jsonb(canonical_tags(list))) from jsonb_each(new.route_filter) as f (rule, list));
  return new;
end
$$;
create or replace trigger channels_checked
  before insert or update of timezone, posting_window, tags, route_filter on channels
  for each row execute function check_channel();

-- A window that was changed is looked up anew, also for what waits for the old one.
create or replace function forget_closed_window() returns trigger language plpgsql as $$
begin
  new.closed_until := null;
  update deliveries d set not_before = greatest(d.created_at, d.scheduled_for)
  where d.workspace_id = new.workspace_id and d.channel_id = new.channel_id and d.is_waiting
    and d.not_before > greatest(d.created_at, d.scheduled_for);
  return new;
end
$$;
create or replace trigger channels_window before update of timezone, window_mode, posting_window on channels
  for each row when ((old.timezone, old.window_mode, old.posting_window)
    is distinct from (new.timezone, new.window_mode, new.posting_window))
  execute function forget_closed_window();

-- What was claimed for other credentials or another place is claimed anew: nothing of it has begun.
create or replace function return_claims_of_channel() returns trigger language plpgsql as $$
begin
  update deliveries d
  set status = 'queued', claim_token = null, claimed_at = null, heartbeat_at = null,
    not_before = least(d.not_before, clock_timestamp()), updated_at = clock_timestamp()
  where d.workspace_id = new.workspace_id and d.channel_id = new.channel_id and d.is_in_hand and d.status = 'claimed';
  return new;
end
$$;
create or replace trigger channels_moved before update of platform, target_id, auth_ref, rate_group on channels
  for each row when ((old.platform, old.target_id, old.auth_ref, old.rate_group)
    is distinct from (new.platform, new.target_id, new.auth_ref, new.rate_group))
  execute function return_claims_of_channel();

-- Random, but ordered by time (version 7): new rows meet at one end of their indexes, however many are old.
create or replace function ordered_uuid() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- Of many that are asked for at once only the first is random, which costs more than all the rest; the others count on
-- from it in their last four bytes.
create or replace function uuid_in_row(p_first uuid, p_place bigint) returns uuid language sql immutable as $$
  select encode(overlay(uuid_send(p_first) placing int4send(p_place::integer) from 13), 'hex')::uuid
$$;

-- Within what an interval can be: one that is nothing, or endless, would stop every claim of its workspace.
create or replace function rate_step(p_rps double precision) returns interval language sql immutable as $$
  select case when p_rps > 0 then interval '1 second' / least(greatest(p_rps, 1e-9), 1e6) end
$$;

create or replace function milliseconds_until(p_then timestamptz, p_now timestamptz) returns double precision
language sql immutable as $$
  select greatest(0, extract(epoch from p_then - p_now) * 1000)::double precision
$$;

create or replace function text_list(p_list jsonb) returns text[] language sql immutable as $$
  select case when jsonb_typeof(p_list) = 'array' then array(select jsonb_array_elements_text(p_list)) else '{}' end
$$;

-- A database without a locale knows only Latin letters.
create or replace function in_lower_case(p_text text) returns text language sql immutable as $$
  select translate(lower(p_text), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя')
$$;

create or replace function canonical_tags(p_tags jsonb) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct in_lower_case(btrim(tag)) order by in_lower_case(btrim(tag))), '{}')
  from unnest(text_list(p_tags)) as tag where btrim(tag) <> ''
$$;

create or replace function route_matches(p_filter jsonb, p_tags text[]) returns boolean language sql immutable as $$
  select p_filter is null or (
    (text_list(p_filter -> 'include_any') = '{}' or p_tags && text_list(p_filter -> 'include_any'))
    and p_tags @> text_list(p_filter -> 'include_all')
    and not p_tags && text_list(p_filter -> 'exclude'))
$$;

-- The first moment from p_now on at which the channel may post: p_now itself inside a window. A day lists its
-- windows as ["from", "to"] in local time, "to" not included; one that ends before it starts runs past midnight. No
-- description: always open. No window at all: never, which is infinity.
--
-- Whether it is open is asked of the local clock, which is never ambiguous: the hour that autumn repeats is open
-- twice, the hour that spring leaves out is not there. A start that falls on a repeated hour is its first one.
create or replace function next_window_start(p_timezone text, p_window jsonb, p_now timestamptz)
returns timestamptz language sql stable as $$
  with windows as (
    select starts, case when until <= span.from_time then starts::date + 1 + until else starts::date + until end as ends
    from generate_series(-1, 8) as ahead
    cross join lateral (select (p_now at time zone p_timezone)::date + ahead as local_day) as day
    cross join lateral jsonb_array_elements(
      coalesce(p_window -> lower(to_char(day.local_day, 'dy')), '[]')) as pair
    cross join lateral (select (pair ->> 0)::interval as from_time, (pair ->> 1)::interval as until) as span
    cross join lateral (select day.local_day + span.from_time as starts) as start
  ), instants as (
    select starts, ends, starts at time zone p_timezone as instant from windows
  ), first_instants as (
    select starts, ends,
      case when (instant - interval '1 hour') at time zone p_timezone = starts then instant - interval '1 hour'
      else instant end as instant
    from instants
  )
  select case
    when p_window is null or exists (
      select from windows where p_now at time zone p_timezone >= starts and p_now at time zone p_timezone < ends
    ) then p_now
    else coalesce((
      select min(instant) from first_instants where instant > p_now and instant at time zone p_timezone < ends
    ), 'infinity') end
$$;

-- Secrets and people's data in a text that goes to the audit: values behind a telling name, bot tokens, keys and signed
-- tokens by their shape, addresses of mail, phone numbers.
create or replace function masked(p_text text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(left(p_text, 2000),
    '((?:(?:bearer|basic|authorization|token|secret|password|api[-_]?key)["''\s:=]+)+)[^\s"'',;&]+', '\1***', 'gi'),
    '\d{6,}:[A-Za-z0-9_-]{20,}', '***', 'g'),
    '\meyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]+|\m(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{16,}', '***', 'g'),
    '[[:alnum:]._%+-]+@[[:alnum:].-]+\.[[:alpha:]]{2,}', '***', 'g'),
    '\+\d[\d ().' || U&'\00a0' || '-]{8,}\d|\m[78][ (.' || U&'\00a0' || '-]*\d{3}[ ).' || U&'\00a0' || '-]*\d{3}[ .'
      || U&'\00a0' || '-]*\d{2}[ .' || U&'\00a0' || '-]*\d{2}\M', '***', 'g')
$$;

-- Value by value: masked as one text, what is cut off could take a bracket with it.
create or replace function masked_json(p_value jsonb) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(p_value)
    when 'string' then to_jsonb(masked(p_value #>> '{}'))
    when 'array' then (
      select coalesce(jsonb_agg(masked_json(item) order by place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (item, place))
    when 'object' then (
      select coalesce(jsonb_object_agg(key, case
        when key ~* '^(?:authorization|password|secret|(?:access_|bot_)?token|api[-_]?key)$' then '"***"'
        else masked_json(value) end), '{}')
      from jsonb_each(p_value))
    else p_value end;
end
$$;

-- What an event may keep of an error: the normalised words, short.
create or replace function short_error(p_error jsonb) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'category', p_error -> 'category', 'scope', p_error -> 'scope', 'code', p_error -> 'code',
    'retry_after_ms', p_error -> 'retry_after_ms',
    'message', left(masked(p_error ->> 'message'), 500), 'raw', left(masked(p_error ->> 'raw'), 300)))
$$;

create or replace function short_meta(p_meta jsonb) returns jsonb language sql stable as $$
  select case when p_meta is null then '{}' when pg_column_size(p_meta) > 4000 then '{"left_out": true}'
    else masked_json(p_meta) end
$$;

-- Autoposting: what comes in --------------------------------------------------------------------------

-- One row of statistics per endpoint and hour: a row per request would outgrow the messages themselves, and an hour is
-- fine enough to see when a flood began. Called under the endpoint's row lock, so there is no contention here.
drop function if exists count_ingress(text, text, text, timestamptz); -- one at a time
create or replace function count_ingress(
  p_workspace_id text, p_endpoint_id text, p_what text, p_now timestamptz, p_many integer default 1
) returns text language sql volatile as $$
  insert into ingest_runs as r (workspace_id, run_id, kind, started_at, finished_at, stats_json)
  values (p_workspace_id, 'push:' || p_endpoint_id || to_char(p_now at time zone 'UTC', ':YYYY-MM-DD"T"HH24'), 'push',
    date_trunc('hour', p_now), p_now, jsonb_build_object(p_what, p_many))
  on conflict (workspace_id, run_id) do update
  set finished_at = excluded.finished_at,
    stats_json = r.stats_json || jsonb_build_object(p_what, coalesce((r.stats_json ->> p_what)::integer, 0) + p_many)
  returning r.run_id
$$;

-- When a request may pass: a bucket of one second's worth. Set back, the clock would leave the pace in the future: it is
-- cut off there. p_pace null: no limit.
create or replace function paced_from(p_paced_until timestamptz, p_pace interval, p_now timestamptz)
returns timestamptz language sql immutable as $$
  select least(greatest(coalesce(p_paced_until, p_now), p_now), p_now + 2 * greatest(interval '1 second', p_pace))
$$;

-- The gate before anything is believed: which endpoint this secret opens, and whether the request may pass. Under the
-- endpoint's row lock, so that of two equal requests at once one is the repeat. p_step:
--   whole    the gate, and a receipt that makes the next equal request a repeat;
--   gate     the gate alone: there are files to fetch before the request is ours;
--   receipt  the gate was passed before, the files are here;
--   invalid  the gate for a request that cannot be understood. Corrected, it is no repeat.
drop function if exists admit_ingress(text, text, integer, text, text, timestamptz);
create or replace function admit_ingress(
  p_kind text, p_secret_hash text, p_payload_bytes integer, p_payload_hash text, p_source_ref text default null,
  p_now timestamptz default null, p_step text default 'whole'
) returns table (
  outcome text, workspace_id text, endpoint_id text, run_id text, retry_after_ms double precision
) language plpgsql as $$
declare
  v_now timestamptz;
  v_end workspace_endpoints;
  v_pace interval; -- null: no limit
  v_free_at timestamptz;
  v_repeat boolean := false;
begin
  select e.* into v_end from workspace_endpoints e join workspaces w on w.workspace_id = e.workspace_id
  where e.kind = p_kind and e.secret_hash = p_secret_hash and e.enabled and w.status <> 'disabled'
  for no key update of e;
  if not found then
    return query select 'unknown_endpoint', null::text, null::text, null::text, null::double precision;
    return;
  end if;
  v_now := coalesce(p_now, clock_timestamp());
  v_pace := case when p_step <> 'receipt' then rate_step(v_end.ingress_rps) end;
  v_end.paced_until := paced_from(v_end.paced_until, v_pace, v_now);
  v_free_at := v_end.paced_until + v_pace - greatest(interval '1 second', v_pace);

  -- No endpoint takes more than a mebibyte: the HTTP server stops reading there.
  if p_payload_bytes > least(v_end.max_payload_bytes, 1048576) then
    outcome := 'ingress_payload_rejected';
  elsif v_free_at > v_now then
    outcome := 'ingress_rate_limited';
  else
    if p_step <> 'invalid' then
      v_repeat := exists (
        select from ingress_receipts r
        where r.workspace_id = v_end.workspace_id and r.endpoint_id = v_end.endpoint_id
          and r.source_ref = p_source_ref
      ) or p_source_ref is null and exists (
        select from ingress_receipts r
        where r.workspace_id = v_end.workspace_id and r.endpoint_id = v_end.endpoint_id
          and r.payload_hash = p_payload_hash
          and r.received_at > v_now - v_end.hash_drop_window_sec * interval '1 second');
    end if;
    if p_step in ('whole', 'receipt') and not v_repeat then
      insert into ingress_receipts (workspace_id, endpoint_id, endpoint_kind, source_ref, payload_hash, received_at,
        expires_at)
      values (v_end.workspace_id, v_end.endpoint_id, p_kind, p_source_ref, p_payload_hash, v_now,
        v_now + interval '3 days');
    end if;
    outcome := case when v_repeat then 'ingress_dedup_dropped' else 'accepted' end;
    if v_pace is not null then
      update workspace_endpoints e set paced_until = v_end.paced_until + v_pace
      where e.workspace_id = v_end.workspace_id and e.endpoint_id = v_end.endpoint_id;
    end if;
  end if;
  if outcome <> 'accepted' then
    insert into events (workspace_id, id, ts, action, result, meta)
    values (v_end.workspace_id, ordered_uuid(), v_now, outcome, 'error',
      jsonb_build_object('endpoint_id', v_end.endpoint_id, 'source_ref', masked(p_source_ref),
        'bytes', p_payload_bytes));
  end if;
  if p_step <> 'gate' or outcome <> 'accepted' then
    run_id := count_ingress(v_end.workspace_id, v_end.endpoint_id, case
      when outcome <> 'accepted' then replace(outcome, 'ingress_', '')
      when p_step = 'invalid' then p_step
      else outcome end, v_now);
  end if;
  return query select outcome, v_end.workspace_id, v_end.endpoint_id, run_id,
    case outcome when 'ingress_rate_limited' then milliseconds_until(v_free_at, v_now) end;
end
$$;

create or replace function tidy_text(p_text text) returns text language sql immutable as $$
  select nullif(regexp_replace(regexp_replace(regexp_replace(replace(p_text, E'\r\n', E'\n'),
    '[ \t\u00a0]+', ' ', 'g'),
    ' ?\n ?', E'\n', 'g'),
    '^\s+|\s+$|(\n\n)\n+', '\1', 'g'), '')
$$;

create or replace function normalized_payload(p_payload jsonb) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'type', case when jsonb_array_length(media) > 0 then 'media' else 'text' end,
    'text', tidy_text(p_payload ->> 'text'),
    'media', case when jsonb_array_length(media) > 0 then media end,
    'links', p_payload -> 'links', 'meta', p_payload -> 'meta'))
  from (
    select case when jsonb_typeof(p_payload -> 'media') = 'array' then p_payload -> 'media' else '[]' end as media
  ) as m
$$;

-- What makes two posts the same post. jsonb sorts its keys; a file is what is in it, if that is known; the order of
-- media counts.
create or replace function payload_hash(p_payload jsonb) returns text language sql immutable as $$
  select encode(sha256(convert_to(jsonb_build_object(
    'text', p_payload -> 'text', 'parse_mode', p_payload #> '{meta,parse_mode}', 'links', p_payload -> 'links',
    'buttons', p_payload #> '{meta,buttons}',
    'media', (
      select jsonb_agg(jsonb_build_array(item -> 'type',
        coalesce(item -> 'sha256', item -> 'blob_ref', item -> 'file_id', item -> 'url', item -> 'attachment_token'),
        item -> 'caption') order by place)
      from jsonb_array_elements(p_payload -> 'media') with ordinality as media (item, place))
  )::text, 'utf8')), 'hex')
$$;

-- As a person sees it, in UTF-16 units, which is how Telegram counts.
create or replace function visible_length(p_text text, p_parse_mode text) returns integer language sql immutable as $$
  select char_length(seen) + char_length(regexp_replace(seen, '[^\U00010000-\U0010ffff]', '', 'g'))
  from (select case p_parse_mode
    when 'HTML' then regexp_replace(regexp_replace(p_text, '<[^>]*>', '', 'g'), '&(\w+|#\d+);', '.', 'g')
    else p_text end as seen) as s
$$;

create or replace function send_mode_fault(p_send_mode text, p_media_count integer) returns text
language sql immutable as $$
  select case
    when p_send_mode = 'text' and p_media_count > 0 then 'the channel takes text only'
    when p_send_mode = 'media' and p_media_count = 0 then 'the channel takes media only'
  end
$$;

-- Why this post cannot go to such a channel; null when nothing is known against it. The provider's word is the last.
create or replace function preflight_fault(
  p_platform text, p_send_mode text, p_payload jsonb, p_text text, p_parse_mode text
) returns text language sql immutable as $$
  with counted as (
    select coalesce(jsonb_array_length(p_payload -> 'media'), 0) as media,
      coalesce(case p_platform when 'telegram' then visible_length(p_text, p_parse_mode)
        else char_length(p_text) end, 0) as length,
      array(select distinct item ->> 'type' from jsonb_array_elements(p_payload -> 'media') as item) as types
  )
  select case
    when p_parse_mode not in ('HTML', 'Markdown', 'None') then 'parse mode is not HTML, Markdown or None'
    when length = 0 and media = 0 then 'nothing to send'
    when send_mode_fault(p_send_mode, media) is not null then send_mode_fault(p_send_mode, media)
    when exists (
      select from jsonb_array_elements(p_payload -> 'media') as item
      where coalesce(item ->> 'url', item ->> 'file_id', item ->> 'blob_ref', item ->> 'attachment_token') is null
    ) then 'a media item has no source'
    when p_platform = 'max' and not types <@ array['image', 'video', 'audio', 'file']
      then 'media type is unknown to MAX'
    when p_platform = 'max' and length > 4000 then 'text is longer than 4000'
    when p_platform = 'telegram'
      and not types <@ array['image', 'photo', 'video', 'audio', 'file', 'document', 'animation']
      then 'media type is unknown to Telegram'
    when p_platform = 'telegram' and media > 10 then 'more than 10 media items'
    when p_platform = 'telegram' and media > 1 and ('animation' = any(types)
      or types && array['audio'] and not types <@ array['audio']
      or types && array['file', 'document'] and not types <@ array['file', 'document'])
      then 'these media do not go into one album'
    -- An album's long text goes ahead of it as a message of its own; a single picture has only its caption.
    when p_platform = 'telegram' and media = 1 and length > 1024 then 'caption is longer than 1024'
    when p_platform = 'telegram' and length > 4096 then 'text is longer than 4096'
  end
  from counted
$$;

-- With what a post goes to a channel of these settings. The adapter's own part, its layout, stays whole: to it, a null
-- says something too.
create or replace function meta_to_send(p_settings jsonb, p_meta jsonb, p_layout jsonb, p_parse_mode text)
returns jsonb language sql stable as $$
  select jsonb_strip_nulls(p_settings || coalesce(p_meta, '{}')) || coalesce(p_layout, '{}')
    || case when p_settings -> 'disable_preview' = 'true' then '{"disablePreview": true}' else '{}'::jsonb end
    || jsonb_build_object('parse_mode', p_parse_mode)
$$;

-- One message to every channel whose filter takes it: normalised, hashed, checked, rendered, deduplicated and queued.
-- p_raw: {payload, tags, source, source_ref, trace_id, ingest_run_id, batch_id, hash_version, normalization_version,
-- template_version, scheduled_for, attempt_limit, channels: only these ids,
-- renderings: {telegram: {text, meta}, max: {...}}, refusals: {telegram: 'why it cannot be sent', ...},
-- in_markup: {HTML: {renderings, refusals}, ...} for channels that read their posts in that markup}.
-- With a normalization_version the text is taken as it stands: it was normalised by code that knows the markup. A
-- rendering that says in which steps it goes was checked by its adapter, which knows more than is known here.
--
-- Two calls with the same content meet at the message's row: the second waits there and then sees the deliveries of
-- the first, each statement here having a view of its own.
create or replace function enqueue_messages_and_deliveries(
  p_workspace_id text, p_endpoint_id text, p_kind text, p_raw jsonb, p_now timestamptz default null
) returns table (message_id uuid, content_hash text, queued integer, suppressed integer, rejected integer)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz;
  v_payload jsonb := normalized_payload(p_raw -> 'payload');
  v_tags text[] := canonical_tags(p_raw -> 'tags');
  v_only text[] := case when p_raw ? 'channels' then text_list(p_raw -> 'channels') end;
  v_hash_version integer := coalesce((p_raw ->> 'hash_version')::integer, 1);
  v_first_delivery uuid := ordered_uuid();
  v_first_event uuid := ordered_uuid();
  v_message messages;
  v_meta jsonb;
begin
  if p_raw ? 'normalization_version' then
    v_payload := v_payload || jsonb_strip_nulls(jsonb_build_object('text', p_raw #> '{payload,text}'));
  end if;
  insert into messages as m (workspace_id, message_id, hash_version, content_hash, normalization_version, payload, tags,
    source, source_ref, first_seen_trace_id, first_ingest_run_id, last_ingest_run_id, last_seen_at, created_at)
  values (p_workspace_id, ordered_uuid(), v_hash_version, payload_hash(v_payload),
    (p_raw ->> 'normalization_version')::integer, v_payload, v_tags,
    coalesce(p_raw -> 'source', jsonb_build_object('endpoint_id', p_endpoint_id, 'kind', p_kind)),
    p_raw ->> 'source_ref', p_raw ->> 'trace_id', p_raw ->> 'ingest_run_id', p_raw ->> 'ingest_run_id',
    coalesce(p_now, clock_timestamp()), coalesce(p_now, clock_timestamp()))
  on conflict on constraint messages_content_hash_hash_version_workspace_id_key do update
  set last_seen_at = excluded.last_seen_at, last_ingest_run_id = excluded.last_ingest_run_id,
    seen_count = m.seen_count + 1
  returning m.* into v_message;
  v_now := coalesce(p_now, clock_timestamp());
  v_meta := jsonb_strip_nulls(jsonb_build_object(
    'trace_id', p_raw -> 'trace_id', 'ingest_run_id', p_raw -> 'ingest_run_id'));

  if v_message.tags <> v_tags then
    insert into events (workspace_id, id, message_id, ts, action, result, meta)
    values (p_workspace_id, ordered_uuid(), v_message.message_id, v_now, 'message_tag_mismatch', 'error',
      v_meta || masked_json(jsonb_build_object('first_seen', v_message.tags, 'now', v_tags)));
  end if;
  update media_origin o set last_seen_at = v_now
  where o.workspace_id = p_workspace_id
    and o.blob_ref in (select item ->> 'blob_ref' from jsonb_array_elements(v_payload -> 'media') as item);

  return query
  with routed as materialized (
    select c.channel_id, c.platform, c.send_mode, c.settings, c.window_mode, c.timezone, c.posting_window,
      coalesce(c.dedup_ttl_hours, 168) as ttl_hours, c.expire_hours, coalesce(c.settings ->> 'parse_mode', '') as markup
    from channels c
    where c.workspace_id = p_workspace_id and c.enabled and (v_only is null or c.channel_id = any(v_only))
      and route_matches(c.route_filter, v_message.tags)
  ), laid_out as materialized (
    -- A thousand channels are of a few kinds: each kind is laid out and checked once.
    select k.*, l.layout #> array['renderings', k.platform, 'meta'] as layout_meta,
      l.layout #>> array['refusals', k.platform] as refusal,
      coalesce(l.layout #>> array['renderings', k.platform, 'text'], v_message.payload ->> 'text') as rendered,
      coalesce(l.layout #>> array['renderings', k.platform, 'meta', 'parse_mode'],
        v_message.payload #>> '{meta,parse_mode}', nullif(k.markup, ''), 'None') as parse_mode
    from (select distinct r.platform, r.send_mode, r.markup from routed r) k
    cross join lateral (select coalesce(p_raw #> array['in_markup', k.markup], p_raw) as layout) l
  ), kinds as materialized (
    select o.*, coalesce(o.refusal,
      case when o.layout_meta -> 'steps' is null
        then preflight_fault(o.platform, o.send_mode, v_message.payload, o.rendered, o.parse_mode)
        else send_mode_fault(o.send_mode, coalesce(jsonb_array_length(v_message.payload -> 'media'), 0)) end) as fault,
      meta_to_send('{}', v_message.payload -> 'meta', o.layout_meta, o.parse_mode) as usual_meta
    from laid_out o
  ), judged as materialized (
    -- A message seen for the first time has no deliveries yet: a delivery keeps its message.
    select r.*, v_message.seen_count > 1 and (exists (
        select from deliveries d
        where d.workspace_id = p_workspace_id and d.channel_id = r.channel_id and d.hash_version = v_hash_version
          and d.content_hash = v_message.content_hash and d.status = 'sent' and d.sent_at is not null
          and d.sent_at >= v_now - r.ttl_hours * interval '1 hour'
      ) or exists (
        select from deliveries d
        where d.workspace_id = p_workspace_id and d.channel_id = r.channel_id and d.hash_version = v_hash_version
          and d.content_hash = v_message.content_hash
          and d.status in ('queued', 'claimed', 'sending', 'retry', 'unknown')
      )) as is_repeat,
      k.layout_meta, k.rendered, k.parse_mode, k.fault, k.usual_meta
    from routed r join kinds k
      on k.platform = r.platform and k.send_mode = r.send_mode and k.markup = r.markup
  ), added as (
    insert into deliveries as d (workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash,
      not_before, expires_at, scheduled_for, status, attempt_limit, last_error, rendered_text, render_meta, template_version, trace_id,
      enqueue_batch_id, created_at, updated_at)
    select p_workspace_id, uuid_in_row(v_first_delivery, row_number() over (order by j.channel_id)),
      v_message.message_id, j.channel_id, v_hash_version, v_message.content_hash, due.at,
      -- From when it may go, not from when it came: a window that opens once a week is no delay.
      case when j.expire_hours is null then 'infinity' else due.at + j.expire_hours * interval '1 hour' end,
      (p_raw ->> 'scheduled_for')::timestamptz,
      case when j.is_repeat then 'deduped' when j.fault is not null then 'failed_permanent' else 'queued' end,
      coalesce((p_raw ->> 'attempt_limit')::integer, 5),
      case when j.fault is not null and not j.is_repeat then jsonb_build_object(
        'category', 'PERMANENT', 'scope', 'delivery', 'code', 'validation_failed', 'message', left(masked(j.fault), 500)) end,
      j.rendered,
      case when j.settings = '{}' then j.usual_meta
        else meta_to_send(j.settings, v_message.payload -> 'meta', j.layout_meta, j.parse_mode) end,
      p_raw ->> 'template_version', p_raw ->> 'trace_id', (p_raw ->> 'batch_id')::uuid, v_now, v_now
    from judged j
    cross join lateral (
      select case when j.window_mode = 'windowed' and not j.is_repeat and j.fault is null
        then next_window_start(j.timezone, j.posting_window, greatest(v_now, (p_raw ->> 'scheduled_for')::timestamptz))
        else greatest(v_now, (p_raw ->> 'scheduled_for')::timestamptz) end as at
    ) due
    -- Asked instead of tried: a conflict is looked for in every unique index and for every row.
    where p_raw -> 'batch_id' is null or not exists (
      select from deliveries d
      where d.workspace_id = p_workspace_id and d.enqueue_batch_id = (p_raw ->> 'batch_id')::uuid
        and d.channel_id = j.channel_id and d.hash_version = v_hash_version
        and d.content_hash = v_message.content_hash)
    order by j.channel_id
    returning d.delivery_id, d.channel_id, d.status, d.last_error
  ), noted as (
    insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, result, error, meta)
    select p_workspace_id, uuid_in_row(v_first_event, row_number() over ()), a.delivery_id, v_message.message_id,
      a.channel_id, v_now,
      case a.status when 'queued' then 'enqueue' when 'deduped' then 'dedup_suppressed' else 'validation_failed' end,
      case a.status when 'failed_permanent' then 'error' else 'ok' end, a.last_error, v_meta
    from added a
  )
  select v_message.message_id, v_message.content_hash, count(*) filter (where a.status = 'queued')::integer,
    count(*) filter (where a.status = 'deduped')::integer,
    count(*) filter (where a.status = 'failed_permanent')::integer
  from added a;

  -- Wakes dispatchers that listen before their next poll; free when none does.
  perform pg_notify('deliveries', p_workspace_id);
end
$$;

-- A pushed request in one call: admitted, and enqueued if it is complete. Together or not at all, so that no receipt is
-- left of a request that came to nothing: repeated, it is taken. p_step as above; p_raw as for the enqueueing.
create or replace function ingest_push(
  p_secret_hash text, p_payload_bytes integer, p_payload_hash text, p_source_ref text, p_step text, p_raw jsonb,
  p_now timestamptz default null
) returns table (
  outcome text, workspace_id text, endpoint_id text, retry_after_ms double precision, message_id uuid,
  queued integer, suppressed integer, rejected integer, rejections jsonb
) language plpgsql as $$
declare
  v_in record;
  v_out record;
begin
  select a.* into v_in from admit_ingress(
    'webhook_push', p_secret_hash, p_payload_bytes, p_payload_hash, p_source_ref, p_now, p_step) a;
  if v_in.outcome <> 'accepted' or p_raw is null then
    return query select v_in.outcome, v_in.workspace_id, v_in.endpoint_id, v_in.retry_after_ms, null::uuid,
      null::integer, null::integer, null::integer, null::jsonb;
    return;
  end if;
  select e.* into v_out from enqueue_messages_and_deliveries(v_in.workspace_id, v_in.endpoint_id, 'push',
    p_raw || jsonb_build_object('ingest_run_id', v_in.run_id), p_now) e;
  return query select v_in.outcome, v_in.workspace_id, v_in.endpoint_id, null::double precision, v_out.message_id,
    v_out.queued, v_out.suppressed, v_out.rejected, case when v_out.rejected > 0 then (
      select jsonb_agg(distinct jsonb_build_object('platform', c.platform, 'reason', d.last_error -> 'message'))
      from deliveries d join channels c on c.workspace_id = d.workspace_id and c.channel_id = d.channel_id
      where d.workspace_id = v_in.workspace_id and d.message_id = v_out.message_id
        and d.trace_id = p_raw ->> 'trace_id' and d.status = 'failed_permanent') end;
end
$$;

-- Autoposting: who sends what, and when --------------------------------------------------------------

-- Locks are taken in one order everywhere, so that there are no deadlocks: the workspace, groups by
-- (platform, rate_group), channels by id, deliveries last.

-- The next workspaces with something waiting, round robin: it goes on where it stopped, so that none is starved.
create or replace function next_workspaces(p_dispatcher text, p_count integer) returns setof text
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_last text;
  v_next text[];
begin
  insert into dispatcher_state (dispatcher) values (p_dispatcher) on conflict do nothing;
  select s.workspace_id_last into v_last from dispatcher_state s where s.dispatcher = p_dispatcher for update;
  with recursive waiting as (
    select min(d.workspace_id) as workspace_id from deliveries d where d.is_waiting
    union all
    select (select min(d.workspace_id) from deliveries d
      where d.is_waiting and d.workspace_id > w.workspace_id)
    from waiting w where w.workspace_id is not null
  )
  select array_agg(t.workspace_id order by t.turn) into v_next from (
    select w.workspace_id, row_number() over (order by w.workspace_id <= v_last, w.workspace_id) as turn
    from waiting join workspaces w on w.workspace_id = waiting.workspace_id
    where w.status = 'active' order by turn limit p_count
  ) t;
  if v_next is not null then
    update dispatcher_state set workspace_id_last = v_next[cardinality(v_next)], updated_at = clock_timestamp()
    where dispatcher = p_dispatcher;
  end if;
  return query select unnest(v_next);
end
$$;

-- Phase 1: up to p_limit deliveries of one workspace for one worker, every channel's first before any channel's
-- second, each with its slot. Slots reach no further ahead than p_horizon, so that a worker which dies or a channel
-- which is paused holds back little.
--
-- The order of a channel is that of seq. With max_parallel = 1 it is strict: one worker at a time holds up to
-- p_per_channel of its deliveries, and one that waits for its next try holds back those behind it. With more, only the
-- starts are in order. A delivery planned for later holds back no other, and neither does an unknown one.
--
-- Of a group whose breaker is half-open one delivery is taken, as the probe, while no other claim has the probe.
create or replace function claim_due(
  p_workspace_id text, p_run_id text, p_limit integer default 100, p_per_channel integer default 5,
  p_horizon interval default '1 second', p_now timestamptz default null
) returns table (
  delivery_id uuid, message_id uuid, channel_id text, platform text, target_id text, auth_ref text, rate_group text,
  settings jsonb, payload jsonb, rendered_text text, render_meta jsonb, attempt integer, trace_id text,
  not_before timestamptz, wait_ms double precision, is_probe boolean
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz;
  v_cursor text;
  v_open text[];
  v_closed text[];
  v_share integer;
begin
  -- Claims of one workspace come one after the other: each sees what is left by the one before.
  select w.claim_cursor into v_cursor from workspaces w
  where w.workspace_id = p_workspace_id and w.status = 'active' for no key update;
  if not found then
    return;
  end if;
  v_now := coalesce(p_now, clock_timestamp());

  -- Channels with something waiting, one look into the index for each, from where the latest claim stopped and round
  -- to there again; no more of them are visited than are needed.
  with recursive backlog as (
    select v_cursor as channel_id, false as is_wrapped, 0 as visited
    union all
    select n.channel_id, n.is_wrapped, b.visited + 1
    from backlog b
    cross join lateral (
      (select d.channel_id, b.is_wrapped as is_wrapped from deliveries d
        where d.workspace_id = p_workspace_id and d.is_waiting and d.channel_id > b.channel_id
        order by d.channel_id limit 1)
      union all
      (select d.channel_id, true from deliveries d
        where d.workspace_id = p_workspace_id and d.is_waiting and not b.is_wrapped
        order by d.channel_id limit 1)
      limit 1
    ) n
    where not (n.is_wrapped and n.channel_id > v_cursor)
  ), ready as (
    select c.channel_id, b.visited,
      c.window_mode = 'immediate' or next_window_start(c.timezone, c.posting_window, v_now) <= v_now as is_open
    from backlog b
    cross join lateral (
      select * from channels x where x.workspace_id = p_workspace_id and x.channel_id = b.channel_id offset 0
    ) c
    left join platform_limits l
      on l.workspace_id = p_workspace_id and l.platform = c.platform and l.rate_group = c.rate_group
    cross join lateral (
      select d.seq, d.status, d.next_retry_at from deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.is_waiting
        and d.not_before <= v_now and coalesce(d.expires_at > v_now, true)
        and (c.max_parallel = 1 or d.status = 'queued' or d.next_retry_at <= v_now)
      order by d.seq limit 1
    ) head
    where b.visited > 0
      and c.enabled and coalesce(c.paused_until <= v_now, true) and coalesce(c.closed_until <= v_now, true)
      and coalesce(c.next_allowed_at <= v_now + p_horizon, true) and coalesce(l.cooldown_until <= v_now, true)
      and (l.failures > 0 and l.probe_until > v_now) is not true
      and (l.rate_rps > 0 and l.next_allowed_at > v_now + p_horizon) is not true
      and (head.status = 'queued' or head.next_retry_at <= v_now)
      and (
        select count(*) from deliveries d where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
          and d.is_in_hand
      ) < case when c.max_parallel = 1 then 1 else greatest(c.max_parallel, p_per_channel) end
    limit p_limit
  )
  select coalesce(array_agg(r.channel_id) filter (where r.is_open), '{}'),
    coalesce(array_agg(r.channel_id) filter (where not r.is_open), '{}'),
    (array_agg(r.channel_id order by r.visited desc))[1]
  into v_open, v_closed, v_cursor from ready r;
  if v_cursor is null then
    return;
  end if;
  update workspaces w set claim_cursor = v_cursor where w.workspace_id = p_workspace_id;
  v_share := least(p_per_channel, ceil(p_limit::numeric / greatest(1, cardinality(v_open))));

  perform from platform_limits l
  where l.workspace_id = p_workspace_id and (l.platform, l.rate_group) in (
    select c.platform, c.rate_group from channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any(v_open))
  order by l.platform, l.rate_group for no key update;
  perform from channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any(v_open || v_closed)
  order by c.channel_id for no key update;
  update channels c set closed_until = next_window_start(c.timezone, c.posting_window, v_now), updated_at = v_now
  where c.workspace_id = p_workspace_id and c.channel_id = any(v_closed);

  return query
  with gates as materialized (
    select c.ctid as channel_row, c.channel_id, c.platform, c.target_id, c.auth_ref, c.rate_group, c.settings,
      c.max_parallel, rate_step(c.rate_rps) as step, greatest(v_now, c.next_allowed_at) as base,
      rate_step(l.rate_rps) as group_step, greatest(v_now, l.next_allowed_at) as group_base,
      coalesce(l.failures > 0, false) as is_probe,
      case when c.max_parallel = 1 then v_share
        else least(v_share, greatest(c.max_parallel, p_per_channel) - (
          select count(*) from deliveries d where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
            and d.is_in_hand)) end as room
    from unnest(v_open) as open (channel_id)
    cross join lateral (
      select x.ctid, x.* from channels x
      where x.workspace_id = p_workspace_id and x.channel_id = open.channel_id offset 0
    ) c
    left join platform_limits l
      on l.workspace_id = p_workspace_id and l.platform = c.platform and l.rate_group = c.rate_group
    -- Asked again under the lock: it may have been switched off while we waited.
    where c.enabled and coalesce(c.paused_until <= v_now, true) and coalesce(l.cooldown_until <= v_now, true)
      and (l.failures > 0 and l.probe_until > v_now) is not true
  ), heads as materialized (
    select g.*, d.delivery_id, d.seq, row_number() over by_seq as place, bool_or(d.waits) over by_seq as is_held_back
    from gates g
    cross join lateral (
      select q.delivery_id, q.seq, q.status = 'retry' and q.next_retry_at > v_now as waits from deliveries q
      where q.workspace_id = p_workspace_id and q.channel_id = g.channel_id and q.is_waiting
        and q.not_before <= v_now and coalesce(q.expires_at > v_now, true)
        and (g.max_parallel = 1 or q.status = 'queued' or q.next_retry_at <= v_now)
      order by q.seq
      limit greatest(0, least(g.room,
        floor(extract(epoch from v_now + p_horizon - g.base) / extract(epoch from g.step)) + 1))
      for update skip locked
    ) d
    window by_seq as (partition by g.channel_id order by d.seq)
  ), slotted as (
    select h.*, h.base + (h.place - 1) * coalesce(h.step, interval '0') as channel_slot
    from heads h where not h.is_held_back order by h.place, h.seq limit p_limit
  ), placed as (
    select s.*, row_number() over (partition by s.platform, s.rate_group order by s.channel_slot, s.seq) as group_place
    from slotted s
  ), chosen as materialized (
    select p.*, greatest(p.channel_slot, p.group_base + (p.group_place - 1) * p.group_step) as slot
    from placed p
    where (p.group_step is null or p.group_base + (p.group_place - 1) * p.group_step <= v_now + p_horizon)
      and (not p.is_probe or p.group_place = 1)
  ), claimed as (
    update deliveries d
    set status = 'claimed', claimed_at = v_now, heartbeat_at = v_now, claim_token = p_run_id, updated_at = v_now,
      not_before = case when coalesce(c.step, c.group_step) is null then d.not_before else c.slot end
    from chosen c where d.workspace_id = p_workspace_id and d.delivery_id = c.delivery_id
    returning d.delivery_id, d.message_id, d.channel_id, c.platform, c.target_id, c.auth_ref, c.rate_group, c.settings,
      d.rendered_text, d.render_meta, d.attempt, d.trace_id, d.not_before, d.seq, c.is_probe
  ), channel_gates as (
    update channels c set next_allowed_at = t.base + t.taken * t.step
    from (
      select o.channel_row, min(o.base) as base, min(o.step) as step, count(*) as taken
      from chosen o where o.step is not null group by o.channel_row
    ) t
    where c.ctid = t.channel_row -- locked by us, so it stays where it is
  ), group_gates as (
    update platform_limits l
    set next_allowed_at = coalesce(t.base + t.taken * t.step, l.next_allowed_at), updated_at = v_now,
      probe_token = case when t.is_probe then p_run_id end,
      probe_until = case when t.is_probe then v_now + interval '45 seconds' end -- a look and a send, both slow
    from (
      select o.platform, o.rate_group, min(o.group_base) as base, min(o.group_step) as step, count(*) as taken,
        bool_or(o.is_probe) as is_probe
      from chosen o where o.group_step is not null or o.is_probe group by o.platform, o.rate_group
    ) t
    where l.workspace_id = p_workspace_id and l.platform = t.platform and l.rate_group = t.rate_group
  )
  select d.delivery_id, d.message_id, d.channel_id, d.platform, d.target_id, coalesce(a.auth_ref, d.auth_ref),
    d.rate_group, d.settings, m.payload, d.rendered_text, d.render_meta, d.attempt, d.trace_id, d.not_before,
    milliseconds_until(d.not_before, v_now), d.is_probe
  from claimed d
  cross join lateral (
    select x.payload from messages x where x.workspace_id = p_workspace_id and x.message_id = d.message_id offset 0
  ) m
  left join lateral (
    select x.auth_ref from channel_auth x where x.workspace_id = p_workspace_id and x.channel_id = d.channel_id offset 0
  ) a on true
  order by d.not_before, d.seq;
end
$$;

-- By the name and with the columns that the reference gives it, for callers that know nothing of probes.
create or replace function claim_deliveries(
  p_workspace_id text, p_run_id text, p_limit integer default 100, p_per_channel integer default 5,
  p_horizon interval default '1 second', p_now timestamptz default null
) returns table (
  delivery_id uuid, message_id uuid, channel_id text, platform text, target_id text, auth_ref text, rate_group text,
  settings jsonb, payload jsonb, rendered_text text, render_meta jsonb, attempt integer, trace_id text,
  not_before timestamptz, wait_ms double precision
) language sql as $$
  select c.delivery_id, c.message_id, c.channel_id, c.platform, c.target_id, c.auth_ref, c.rate_group, c.settings,
    c.payload, c.rendered_text, c.render_meta, c.attempt, c.trace_id, c.not_before, c.wait_ms
  from claim_due(p_workspace_id, p_run_id, p_limit, p_per_channel, p_horizon, p_now) c
$$;

-- Phase 2: the attempt is on record, with its event, before the provider is called. For each delivery asked for:
--   sending   call the provider in wait_ms; the delivery is yours alone
--   wait      still yours, try again in wait_ms; without it, when another one of the channel is done
--   returned  back in the queue: the channel or its group is stopped, its time is over, or an earlier one waits
--   lost      not yours any more
--
-- The rate is kept here, by the moment of sending itself: a worker that came late to one slot does not shorten the gap
-- to the next. Of a group's sends the n-th goes at s(n) = max(its own moment, s(n-1) + step), written out as a running
-- maximum of moment - n * step. A channel with a rate begins one at a time, which makes that exact for it as well.
--
-- Deliveries of several claims are asked for together, each with the token of its own: two questions at once would wait
-- for each other at the group's row. p_unprepared: those that have files to bring before their call, see begin_call.
drop function if exists begin_attempts(text, text, uuid[], interval, timestamptz);
drop function if exists begin_attempts(text, text[], uuid[], interval, timestamptz);
create or replace function begin_attempts(
  p_workspace_id text, p_claim_tokens text[], p_delivery_ids uuid[], p_lead interval default '200 ms',
  p_now timestamptz default null, p_unprepared uuid[] default '{}'
) returns table (delivery_id uuid, outcome text, wait_ms double precision, attempt integer)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz;
  v_channels text[] := array(
    select distinct d.channel_id from deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any(p_delivery_ids));
begin
  perform from platform_limits l
  where l.workspace_id = p_workspace_id and (l.platform, l.rate_group) in (
    select c.platform, c.rate_group from channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any(v_channels))
  order by l.platform, l.rate_group for no key update;
  perform from channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any(v_channels)
  order by c.channel_id for no key update;
  v_now := coalesce(p_now, clock_timestamp());

  return query
  with mine as materialized (
    select d.delivery_id, d.channel_id, d.seq, d.not_before, c.platform, c.rate_group, c.max_parallel,
      c.ctid as channel_row, rate_step(c.rate_rps) as step, c.last_send_at, rate_step(l.rate_rps) as group_step,
      l.last_send_at as group_last_send_at,
      not c.enabled or coalesce(c.paused_until > v_now, false) or coalesce(l.cooldown_until > v_now, false)
        or coalesce(d.expires_at <= v_now, false)
        or coalesce(l.failures > 0 and l.probe_token is distinct from d.claim_token, false) as is_stopped,
      beside.sending_now, beside.has_earlier,
      -- In whatever status it waits: given back by a stopped group it is queued, and still the earlier one.
      exists (select from deliveries e
        where e.workspace_id = p_workspace_id and e.channel_id = d.channel_id and e.is_waiting and e.seq < d.seq
          and (e.status = 'retry' or e.not_before <= v_now) and coalesce(e.expires_at > v_now, true)
      ) as is_held_back
    from unnest(p_delivery_ids, p_claim_tokens) as asked (id, claim_token)
    cross join lateral (
      select * from deliveries x where x.workspace_id = p_workspace_id and x.delivery_id = asked.id offset 0
    ) d
    cross join lateral (
      select x.ctid, x.* from channels x where x.workspace_id = p_workspace_id and x.channel_id = d.channel_id offset 0
    ) c
    left join platform_limits l
      on l.workspace_id = p_workspace_id and l.platform = c.platform and l.rate_group = c.rate_group
    cross join lateral (
      select count(*) filter (where s.status = 'sending') as sending_now, bool_or(s.seq < d.seq) as has_earlier
      from deliveries s where s.workspace_id = p_workspace_id and s.channel_id = d.channel_id
        and s.is_in_hand
    ) beside
    where d.status = 'claimed' and d.claim_token = asked.claim_token
  ), judged as (
    select m.*, case
        when m.is_stopped then 'returned'
        when m.max_parallel = 1 and m.is_held_back then 'returned'
        when m.not_before > v_now + p_lead then 'wait'
        when m.max_parallel = 1 and m.has_earlier then 'wait'
        else 'sending' end as verdict
    from mine m
  ), admitted as (
    select j.*, case
        when j.verdict <> 'sending' then j.verdict
        when j.sending_now + row_number() over by_channel > j.max_parallel then 'wait'
        when j.step is not null and row_number() over by_channel > 1 then 'wait'
        else 'sending' end as admission,
      greatest(v_now, j.not_before, j.last_send_at + j.step)
        + coalesce((row_number() over by_channel - 1) * j.step, interval '0') as moment
    from judged j window by_channel as (partition by j.channel_id, j.verdict order by j.seq)
  ), numbered as (
    select a.*, row_number() over (partition by a.platform, a.rate_group, a.admission order by a.moment, a.seq) as n
    from admitted a
  ), timed as materialized (
    select t.delivery_id, t.channel_row, t.platform, t.rate_group, t.step, t.group_step,
      case when t.admission = 'sending' and t.moment > v_now + p_lead then 'wait' else t.admission end as outcome,
      t.moment
    from (
      select n.delivery_id, n.channel_row, n.platform, n.rate_group, n.step, n.group_step, n.admission,
        case when n.admission <> 'sending' or n.group_step is null then n.moment
          else greatest(n.group_last_send_at + n.n * n.group_step,
            v_now + n.n * n.group_step + max(n.moment - v_now - n.n * n.group_step) over by_moment) end as moment
      from numbered n
      window by_moment as (partition by n.platform, n.rate_group, n.admission order by n.moment, n.seq)
    ) t
  ), begun as (
    update deliveries d
    set status = 'sending', attempt = d.attempt + 1, sending_started_at = t.moment, heartbeat_at = v_now,
      is_preparing = d.delivery_id = any(p_unprepared), updated_at = v_now
    from timed t where d.workspace_id = p_workspace_id and d.delivery_id = t.delivery_id and t.outcome = 'sending'
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, d.trace_id
  ), returned as (
    update deliveries d
    set status = 'queued', claim_token = null, claimed_at = null, heartbeat_at = null,
      not_before = least(d.not_before, v_now), updated_at = v_now
    from timed t where d.workspace_id = p_workspace_id and d.delivery_id = t.delivery_id and t.outcome = 'returned'
  ), noted as (
    insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, meta)
    select p_workspace_id, ordered_uuid(), b.delivery_id, b.message_id, b.channel_id, v_now, 'send_attempt', b.attempt,
      jsonb_build_object('idempotency_key', b.delivery_id, 'trace_id', b.trace_id)
    from begun b
  ), channel_moments as (
    update channels c set last_send_at = t.moment
    from timed t
    where c.ctid = t.channel_row and t.outcome = 'sending' and t.step is not null -- locked by us: it stays there
  ), group_moments as (
    update platform_limits l set last_send_at = t.moment
    from (
      select o.platform, o.rate_group, max(o.moment) as moment from timed o
      where o.outcome = 'sending' and o.group_step is not null group by o.platform, o.rate_group
    ) t
    where l.workspace_id = p_workspace_id and l.platform = t.platform and l.rate_group = t.rate_group
  )
  select asked.id, coalesce(t.outcome, 'lost'),
    case t.outcome when 'sending' then milliseconds_until(t.moment, v_now)
      when 'wait' then nullif(milliseconds_until(t.moment, v_now), 0) end,
    b.attempt
  from unnest(p_delivery_ids) as asked (id)
  left join timed t on t.delivery_id = asked.id
  left join begun b on b.delivery_id = asked.id;
end
$$;

-- The files are there, and the next thing is the call. False: not this worker's any more, so nothing may be sent.
create or replace function begin_call(p_workspace_id text, p_delivery_id uuid, p_claim_token text)
returns boolean language sql as $$
  with begun as (
    update deliveries d set is_preparing = false, heartbeat_at = clock_timestamp()
    where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.claim_token = p_claim_token
      and d.status = 'sending'
    returning true
  )
  select exists (select from begun)
$$;

-- The worker is alive: its leases run from now on.
create or replace function heartbeat_deliveries(
  p_workspace_id text, p_claim_token text, p_delivery_ids uuid[], p_now timestamptz default null
) returns setof uuid language sql as $$
  update deliveries d set heartbeat_at = coalesce(p_now, clock_timestamp())
  where d.workspace_id = p_workspace_id and d.delivery_id = any(p_delivery_ids) and d.claim_token = p_claim_token
    and d.is_in_hand
  returning d.delivery_id
$$;

-- Claimed and not begun: back to the queue, as a worker does before it stops. A probe among them is free for others.
create or replace function return_claims(
  p_workspace_id text, p_claim_token text, p_delivery_ids uuid[], p_now timestamptz default null
) returns setof uuid language sql as $$
  update platform_limits l set probe_token = null, probe_until = null
  where l.workspace_id = p_workspace_id and l.failures > 0 and l.probe_token = p_claim_token;
  update deliveries d
  set status = 'queued', claim_token = null, claimed_at = null, heartbeat_at = null,
    not_before = least(d.not_before, coalesce(p_now, clock_timestamp())),
    updated_at = coalesce(p_now, clock_timestamp())
  where d.workspace_id = p_workspace_id and d.delivery_id = any(p_delivery_ids) and d.claim_token = p_claim_token
    and d.status = 'claimed'
  returning d.delivery_id
$$;

-- Autoposting: what came of it -----------------------------------------------------------------------

-- Every result carries the token of the claim. A worker whose lease ran out and whose delivery was taken over
-- changes nothing; that its call may have arrived is noted. While the delivery is unknown, its late owner is the very
-- one who knows, and is believed.

-- p_results: [{workspace_id, delivery_id, claim_token, provider_message_id, sent_at, meta}]. Outcomes: sent, also when
-- it is said twice; late.
-- Where one send follows another, the next one keeps its distance to the end of the call before, not to its planned start:
-- the exact time of arrival is unknown here, and two that come closer than the rate allows are refused.
create or replace function keep_distance(p_delivery deliveries, p_now timestamptz) returns void language sql as $$
  update channels c set last_send_at = greatest(c.last_send_at, p_now)
  where c.workspace_id = p_delivery.workspace_id and c.channel_id = p_delivery.channel_id
    and p_delivery.status = 'sending' and c.rate_rps > 0 and c.max_parallel = 1
$$;

-- A message got through: the breakers of these channels' groups close. One that is still open stays so: what arrives
-- then was on its way before.
create or replace function close_groups(p_workspaces text[], p_channels text[], p_now timestamptz)
returns void language sql as $$
  with closed as (
    update platform_limits l
    set failures = 0, failing_since = null, probe_token = null, probe_until = null, updated_at = p_now
    where l.workspace_id = any(p_workspaces) and l.failures > 0 and coalesce(l.cooldown_until <= p_now, true)
      and exists (select from channels c where c.workspace_id = l.workspace_id and c.channel_id = any(p_channels)
        and c.platform = l.platform and c.rate_group = l.rate_group)
    returning l.*
  )
  insert into events (workspace_id, id, ts, action, meta)
  select c.workspace_id, ordered_uuid(), p_now, 'group_recovered',
    jsonb_build_object('platform', c.platform, 'rate_group', c.rate_group)
  from closed c;
$$;

create or replace function mark_sent_batch(p_results jsonb, p_now timestamptz default null)
returns table (workspace_id text, delivery_id uuid, outcome text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_workspaces text[];
  v_channels text[];
begin
  select array_agg(distinct d.workspace_id), array_agg(distinct d.channel_id) into v_workspaces, v_channels
  from jsonb_to_recordset(p_results) as r (workspace_id text, delivery_id uuid)
  cross join lateral (
    select * from deliveries x where x.workspace_id = r.workspace_id and x.delivery_id = r.delivery_id offset 0
  ) d;
  perform from platform_limits l
  where l.workspace_id = any(v_workspaces) and l.failures > 0
  order by l.workspace_id, l.platform, l.rate_group for no key update;
  perform close_groups(v_workspaces, v_channels, v_now) where found;
  -- By their keys: otherwise all channels of a workspace would be looked at for each result.
  perform from channels c
  where c.workspace_id = any(v_workspaces) and c.channel_id = any(v_channels)
    and (c.error_streak > 0 or c.rate_rps > 0 and c.max_parallel = 1)
  order by c.workspace_id, c.channel_id for no key update;

  return query
  with said as materialized (
    select * from jsonb_to_recordset(p_results) as r (workspace_id text, delivery_id uuid, claim_token text,
      provider_message_id text, sent_at timestamptz, meta jsonb)
  ), moved as (
    update deliveries d
    set status = 'sent', sent_at = coalesce(s.sent_at, v_now), provider_message_id = s.provider_message_id,
      next_retry_at = null, last_error = null, updated_at = v_now
    from said s
    where d.workspace_id = s.workspace_id and d.delivery_id = s.delivery_id and d.claim_token = s.claim_token
      -- As a case, through which the planner does not see: by its key, never by way of an index of unfinished ones.
      and case when d.status in ('sending', 'unknown') then true end
    returning d.workspace_id, d.delivery_id, d.message_id, d.channel_id, d.attempt, d.trace_id, d.provider_message_id,
      s.meta
  ), unmoved as materialized (
    select s.workspace_id, s.delivery_id, s.provider_message_id, d.message_id, d.channel_id, d.attempt,
      case when d.status = 'sent' and d.claim_token = s.claim_token then 'sent' else 'late' end as outcome
    from said s
    left join deliveries d on d.workspace_id = s.workspace_id and d.delivery_id = s.delivery_id
    where (s.workspace_id, s.delivery_id) not in (select m.workspace_id, m.delivery_id from moved m)
  ), noted as (
    insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select m.workspace_id, ordered_uuid(), m.delivery_id, m.message_id, m.channel_id, v_now, 'sent', m.attempt, 'ok',
      short_meta(m.meta) || jsonb_build_object('trace_id', m.trace_id, 'provider_message_id', m.provider_message_id)
    from moved m
    union all
    select a.workspace_id, ordered_uuid(), a.delivery_id, a.message_id, a.channel_id, v_now, 'late_result', a.attempt,
      'error', masked_json(jsonb_build_object('said', 'sent', 'provider_message_id', a.provider_message_id))
    from unmoved a where a.outcome = 'late' and a.channel_id is not null
  ), forgiven as (
    update channels c
    set error_streak = 0,
      last_send_at = case when c.rate_rps > 0 and c.max_parallel = 1 then greatest(c.last_send_at, v_now)
        else c.last_send_at end
    from (select distinct m.workspace_id, m.channel_id from moved m) t
    where c.workspace_id = any(v_workspaces) and c.channel_id = any(v_channels)
      and c.workspace_id = t.workspace_id and c.channel_id = t.channel_id
      and (c.error_streak > 0 or c.rate_rps > 0 and c.max_parallel = 1)
  )
  select m.workspace_id, m.delivery_id, 'sent' from moved m
  union all
  select a.workspace_id, a.delivery_id, a.outcome from unmoved a;
end
$$;

create or replace function mark_sent(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_provider_message_id text,
  p_sent_at timestamptz default null, p_raw_meta jsonb default null, p_now timestamptz default null
) returns text language sql as $$
  select b.outcome from mark_sent_batch(jsonb_build_array(jsonb_build_object('workspace_id', p_workspace_id,
    'delivery_id', p_delivery_id, 'claim_token', p_claim_token, 'provider_message_id', p_provider_message_id,
    'sent_at', p_sent_at, 'meta', p_raw_meta)), p_now) as b
$$;

-- The delivery a worker speaks of, locked behind its group and channel; no row when it is not this worker's.
create or replace function delivery_in_hand(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_statuses text[]
) returns setof deliveries language plpgsql as $$
declare
  v_channel channels;
begin
  select c.* into v_channel from deliveries d
  join channels c on c.workspace_id = d.workspace_id and c.channel_id = d.channel_id
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  perform from platform_limits l
  where l.workspace_id = p_workspace_id and l.platform = v_channel.platform and l.rate_group = v_channel.rate_group
  for no key update;
  perform from channels c where c.workspace_id = p_workspace_id and c.channel_id = v_channel.channel_id
  for no key update;
  return query select d.* from deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id
    and d.claim_token is not distinct from p_claim_token and d.status = any(p_statuses) for update;
end
$$;

create or replace function note_delivery_event(
  p_delivery deliveries, p_action text, p_result text, p_error jsonb, p_meta jsonb, p_now timestamptz
) returns void language sql as $$
  insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
  values (p_delivery.workspace_id, ordered_uuid(), p_delivery.delivery_id, p_delivery.message_id, p_delivery.channel_id,
    p_now, p_action, p_delivery.attempt, p_result, p_error,
    jsonb_strip_nulls(coalesce(p_meta, '{}') || jsonb_build_object('trace_id', p_delivery.trace_id)))
$$;

create or replace function note_late_result(
  p_workspace_id text, p_delivery_id uuid, p_said text, p_error jsonb, p_now timestamptz
) returns void language sql as $$
  select note_delivery_event(d, 'late_result', 'error', p_error, jsonb_build_object('said', p_said), p_now)
  from deliveries d where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id
$$;

-- The provider asked everybody behind one credential to wait.
create or replace function cool_group_down(p_channel channels, p_until timestamptz, p_error jsonb, p_now timestamptz)
returns void language sql as $$
  insert into platform_limits as l (workspace_id, platform, rate_group, next_allowed_at, cooldown_until, updated_at)
  values (p_channel.workspace_id, p_channel.platform, p_channel.rate_group, p_until, p_until, p_now)
  on conflict (workspace_id, platform, rate_group) do update
  set next_allowed_at = greatest(l.next_allowed_at, excluded.next_allowed_at),
    cooldown_until = greatest(l.cooldown_until, excluded.cooldown_until), updated_at = excluded.updated_at;
  insert into events (workspace_id, id, channel_id, ts, action, result, error, meta)
  values (p_channel.workspace_id, ordered_uuid(), p_channel.channel_id, p_now, 'group_cooldown', 'error', p_error,
    jsonb_build_object('platform', p_channel.platform, 'rate_group', p_channel.rate_group, 'until', p_until));
$$;

-- The platform does not answer, or answers with 5xx: the breaker of the group opens, for 2 s and each time running for
-- twice as long, up to a minute, so that everything moves again a minute after the platform does. Calls that were under
-- way when it opened fail as well: together they are one outage and count once.
create or replace function trip_group(p_channel channels, p_error jsonb, p_now timestamptz)
returns timestamptz language plpgsql as $$
declare
  v_group platform_limits;
  v_until timestamptz;
begin
  insert into platform_limits (workspace_id, platform, rate_group)
  values (p_channel.workspace_id, p_channel.platform, p_channel.rate_group) on conflict do nothing;
  select l.* into v_group from platform_limits l
  where l.workspace_id = p_channel.workspace_id and l.platform = p_channel.platform
    and l.rate_group = p_channel.rate_group for no key update;
  if v_group.failures > 0 and v_group.cooldown_until > p_now and named_wait(p_error) is null then
    return v_group.cooldown_until;
  end if;
  v_until := p_now + coalesce(named_wait(p_error),
    least(interval '1 minute', interval '2 seconds' * 2 ^ least(v_group.failures, 10)) * (1 + random() / 4));
  update platform_limits l
  set failures = l.failures + 1, failing_since = coalesce(l.failing_since, p_now), probe_token = null, probe_until = null
  where l.workspace_id = p_channel.workspace_id and l.platform = p_channel.platform
    and l.rate_group = p_channel.rate_group;
  perform cool_group_down(p_channel, v_until, p_error, p_now);
  return greatest(v_group.cooldown_until, v_until);
end
$$;

-- A probe that ended in something that says nothing of the platform: the next delivery may probe at once.
create or replace function free_probe(p_channel channels, p_claim_token text) returns void language sql as $$
  update platform_limits l set probe_token = null, probe_until = null
  where l.workspace_id = p_channel.workspace_id and l.platform = p_channel.platform
    and l.rate_group = p_channel.rate_group and l.failures > 0 and l.probe_token = p_claim_token;
$$;

-- The platform was looked at before the probe was sent, and does not answer yet: nothing is on record, the delivery goes
-- back to the queue. Null: not this worker's any more.
create or replace function fail_probe(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_error jsonb, p_now timestamptz default null
) returns timestamptz language plpgsql as $$
declare
  v_now timestamptz;
  v_row deliveries;
  v_channel channels;
begin
  select * into v_row from delivery_in_hand(p_workspace_id, p_delivery_id, p_claim_token, array['claimed']);
  if v_row.delivery_id is null then
    return null;
  end if;
  v_now := coalesce(p_now, clock_timestamp());
  update deliveries d
  set status = 'queued', claim_token = null, claimed_at = null, heartbeat_at = null,
    not_before = least(d.not_before, v_now), updated_at = v_now
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  select c.* into v_channel from channels c where c.workspace_id = p_workspace_id and c.channel_id = v_row.channel_id;
  return trip_group(v_channel, short_error(p_error), v_now);
end
$$;

-- What the provider said is respected; else 2 s, doubled with every attempt up to 10 min. Both with up to a quarter
-- more, so that what failed together does not come back together. A file still being processed is asked for sooner.
create or replace function named_wait(p_error jsonb) returns interval language sql immutable as $$
  -- Capped at 30 days: a longer wait is a mistake of the provider, and would overflow a timestamp.
  select least(greatest(ms, 0), 2592000000) * interval '1 ms'
  from (select (p_error ->> 'retry_after_ms')::double precision as ms) as said where ms is not null
$$;

create or replace function retry_delay(p_attempt integer, p_error jsonb) returns interval language sql volatile as $$
  select case
    when named_wait(p_error) is not null then named_wait(p_error)
    when p_error ->> 'code' = 'attachment.not.ready' and p_attempt <= 3 then p_attempt * interval '1 second'
    else least(interval '10 minutes', interval '2 seconds' * 2 ^ greatest(0, least(p_attempt, 20) - 1)) end
    * (1 + random() / 4)
$$;

-- A TRANSIENT error: outcome retry, dead when that was the last attempt, or late. Without p_next_retry_at the delay is
-- retry_delay's. A wait that was asked of a whole group or channel holds for everybody behind it, named or not.
--
-- What the platform did not take because it was down or flooded, and what was broken off by a stop, uses up no attempt:
-- an outage of hours would kill every post that waits for its end. Such a delivery goes on until it expires.
create or replace function schedule_retry(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_next_retry_at timestamptz default null,
  p_error jsonb default null, p_now timestamptz default null
) returns table (outcome text, next_retry_at timestamptz) language plpgsql as $$
declare
  v_now timestamptz;
  v_error jsonb := short_error(p_error);
  v_is_platform boolean := coalesce(v_error ->> 'scope' = 'platform', false);
  v_is_flood boolean := coalesce(v_error ->> 'code' = '429', false);
  v_is_spared boolean := v_is_platform or coalesce(v_error ->> 'code' = 'stopped', false);
  v_row deliveries;
  v_channel channels;
  v_until timestamptz;
begin
  select * into v_row
  from delivery_in_hand(p_workspace_id, p_delivery_id, p_claim_token, array['claimed', 'sending', 'unknown']);
  v_now := coalesce(p_now, clock_timestamp());
  if v_row.delivery_id is null then
    perform note_late_result(p_workspace_id, p_delivery_id, 'retry', v_error, v_now);
    return query select 'late', null::timestamptz;
    return;
  end if;
  perform keep_distance(v_row, v_now);
  select c.* into v_channel from channels c
  where c.workspace_id = p_workspace_id and c.channel_id = v_row.channel_id;
  if v_is_platform and not v_is_flood then
    v_until := trip_group(v_channel, v_error, v_now);
  else
    perform free_probe(v_channel, p_claim_token);
    if v_error ? 'retry_after_ms' or v_is_flood then
      v_until := v_now + coalesce(named_wait(v_error), retry_delay(v_row.attempt, null));
    end if;
    if v_is_platform then
      perform cool_group_down(v_channel, v_until, v_error, v_now);
    elsif v_error ->> 'scope' = 'channel' and v_until is not null then
      update channels c set paused_until = greatest(c.paused_until, v_until), updated_at = v_now
      where c.workspace_id = p_workspace_id and c.channel_id = v_row.channel_id;
    end if;
  end if;
  outcome := case when v_row.attempt >= v_row.attempt_limit and not v_is_spared then 'dead' else 'retry' end;
  if outcome = 'retry' then
    next_retry_at := coalesce(p_next_retry_at, case when v_is_platform and not v_is_flood then v_until end,
      v_now + retry_delay(v_row.attempt, p_error));
  end if;
  update deliveries d
  set status = outcome, next_retry_at = schedule_retry.next_retry_at, last_error = v_error, claim_token = null,
    claimed_at = null, heartbeat_at = null, sending_started_at = null, is_preparing = false,
    attempt_limit = d.attempt_limit + case when v_is_spared and v_row.status <> 'claimed' then 1 else 0 end,
    not_before = least(d.not_before, v_now), updated_at = v_now
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  perform note_delivery_event(v_row, case outcome when 'dead' then 'dead_letter' else 'retry_scheduled' end, 'error',
    v_error, jsonb_build_object('next_retry_at', next_retry_at), v_now);
  return next;
end
$$;

-- A PERMANENT error: outcome failed_permanent or late. Its scope decides what else happens: nothing; the channel is
-- paused and, the third time running, switched off; the group cools down. Without a token: a delivery that waits in the
-- queue turned out to be unsendable.
create or replace function fail_permanent(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_error jsonb, p_pause interval default '1 hour',
  p_disable_after integer default 3, p_cooldown interval default '1 minute', p_now timestamptz default null
) returns text language plpgsql as $$
declare
  v_now timestamptz;
  v_error jsonb := short_error('{"category": "PERMANENT", "scope": "delivery"}' || coalesce(p_error, '{}'));
  v_row deliveries;
  v_channel channels;
begin
  select * into v_row from delivery_in_hand(p_workspace_id, p_delivery_id, p_claim_token,
    case when p_claim_token is null then array['queued', 'retry'] else array['sending', 'unknown'] end);
  v_now := coalesce(p_now, clock_timestamp());
  if v_row.delivery_id is null then
    perform note_late_result(p_workspace_id, p_delivery_id, 'failed_permanent', v_error, v_now);
    return 'late';
  end if;
  perform keep_distance(v_row, v_now);
  update deliveries d
  set status = 'failed_permanent', last_error = v_error, next_retry_at = null, updated_at = v_now
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  perform note_delivery_event(v_row, case v_error ->> 'code' when 'validation_failed' then 'validation_failed'
    else 'failed_permanent' end, 'error', v_error, null, v_now);

  select c.* into v_channel from channels c
  where c.workspace_id = p_workspace_id and c.channel_id = v_row.channel_id;
  perform free_probe(v_channel, p_claim_token);
  if v_error ->> 'scope' = 'channel' then
    update channels c
    set error_streak = c.error_streak + 1, paused_until = greatest(c.paused_until, v_now + p_pause),
      enabled = c.enabled and c.error_streak + 1 < p_disable_after, updated_at = v_now
    where c.workspace_id = p_workspace_id and c.channel_id = v_row.channel_id
    returning c.* into v_channel;
    insert into events (workspace_id, id, channel_id, ts, action, result, error, meta)
    select p_workspace_id, ordered_uuid(), v_row.channel_id, v_now, action, 'error', v_error,
      jsonb_build_object('error_streak', v_channel.error_streak, 'paused_until', v_channel.paused_until)
    from unnest(array['channel_paused'] || case when v_channel.error_streak >= p_disable_after
      then array['channel_disabled'] else '{}' end) as action;
  elsif v_error ->> 'scope' = 'platform' then
    perform cool_group_down(v_channel, v_now + coalesce(named_wait(v_error), p_cooldown), v_error, v_now);
  end if;
  return 'failed_permanent';
end
$$;

-- The call was made and its answer never came. The post may be there, so it is not repeated, unless the channel allows
-- duplicates.
create or replace function lose_result(
  p_delivery deliveries, p_action text, p_error jsonb, p_delay interval, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_to text;
begin
  select case when not c.allow_duplicates then 'unknown' when p_delivery.attempt >= p_delivery.attempt_limit then 'dead'
    else 'retry' end into v_to
  from channels c where c.workspace_id = p_delivery.workspace_id and c.channel_id = p_delivery.channel_id;
  update deliveries d
  set status = v_to, last_error = p_error, updated_at = p_now, heartbeat_at = null,
    next_retry_at = case v_to when 'retry' then p_now + p_delay end,
    -- An unknown one stays its owner's: the answer may still come.
    claim_token = case v_to when 'unknown' then d.claim_token end,
    sending_started_at = case v_to when 'unknown' then d.sending_started_at end,
    claimed_at = case v_to when 'unknown' then d.claimed_at end
  where d.workspace_id = p_delivery.workspace_id and d.delivery_id = p_delivery.delivery_id;
  perform note_delivery_event(p_delivery, p_action, 'error', p_error, jsonb_build_object('to', v_to), p_now);
  if v_to = 'dead' then
    perform note_delivery_event(p_delivery, 'dead_letter', 'error', p_error, null, p_now);
  end if;
  return v_to;
end
$$;

create or replace function mark_unknown(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_error jsonb default null,
  p_now timestamptz default null
) returns text language plpgsql as $$
declare
  v_now timestamptz;
  v_row deliveries;
  v_channel channels;
begin
  select * into v_row from delivery_in_hand(p_workspace_id, p_delivery_id, p_claim_token, array['sending']);
  if v_row.delivery_id is null then
    return 'late';
  end if;
  v_now := coalesce(p_now, clock_timestamp());
  perform keep_distance(v_row, v_now);
  select c.* into v_channel from channels c where c.workspace_id = p_workspace_id and c.channel_id = v_row.channel_id;
  if p_error ->> 'scope' = 'platform' then
    perform trip_group(v_channel, short_error(p_error), v_now);
  else
    perform free_probe(v_channel, p_claim_token);
  end if;
  return lose_result(v_row, 'result_unknown', short_error(p_error), retry_delay(v_row.attempt, null), v_now);
end
$$;

-- A series of messages got on: what is acknowledged is never sent again. False: not this worker's any more.
create or replace function save_series_progress(
  p_workspace_id text, p_delivery_id uuid, p_claim_token text, p_progress jsonb, p_now timestamptz default null
) returns boolean language sql as $$
  with kept as (
    update deliveries d
    set render_meta = d.render_meta || jsonb_build_object('series_progress', p_progress),
      is_preparing = d.status = 'sending', -- until the next message of the series is called for
      heartbeat_at = coalesce(p_now, clock_timestamp())
    where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.claim_token = p_claim_token
      and d.status in ('sending', 'unknown')
    returning true
  )
  select exists (select from kept)
$$;

-- Autoposting: upkeep --------------------------------------------------------------------------------

-- Leases that ran out. Claimed: nothing was sent, so back to the queue. Sending: the attempt is on record and its
-- result is not, so unknown (see lose_result), unless it was still being prepared. Attempts are not counted. Also gives
-- up what has expired, and puts right what a clock set back left.
create or replace function release_stale(
  p_workspace_id text default null, p_claimed_lease interval default '5 minutes',
  p_sending_lease interval default '5 minutes', p_limit integer default 1000, p_now timestamptz default null
) returns table (workspace_id text, delivery_id uuid, was text, became text) language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_row deliveries;
  v_became text;
begin
  perform heal_clock(v_now);
  perform expire_deliveries(p_workspace_id, p_limit, v_now);
  for v_row in
    select d.* from deliveries d
    where d.is_in_hand and (p_workspace_id is null or d.workspace_id = p_workspace_id)
      and case d.status
        when 'claimed' then d.not_before <= v_now and coalesce(d.heartbeat_at, d.claimed_at) < v_now - p_claimed_lease
        else coalesce(d.heartbeat_at, d.sending_started_at) < v_now - p_sending_lease end
    order by d.workspace_id, d.channel_id, d.seq limit p_limit for update skip locked
  loop
    if v_row.status = 'claimed' then
      v_became := 'queued';
      update deliveries d
      set status = 'queued', claim_token = null, claimed_at = null, heartbeat_at = null, updated_at = v_now
      where d.workspace_id = v_row.workspace_id and d.delivery_id = v_row.delivery_id;
      perform note_delivery_event(v_row, 'claimed_lease_expired', 'error', null, null, v_now);
    elsif v_row.is_preparing then
      v_became := 'retry';
      update deliveries d
      set status = 'retry', next_retry_at = v_now, attempt_limit = d.attempt_limit + 1, claim_token = null,
        claimed_at = null, heartbeat_at = null, sending_started_at = null, is_preparing = false, updated_at = v_now
      where d.workspace_id = v_row.workspace_id and d.delivery_id = v_row.delivery_id;
      perform note_delivery_event(v_row, 'sending_lease_expired', 'error', null, '{"to": "retry"}', v_now);
    else
      v_became := lose_result(v_row, 'sending_lease_expired', jsonb_build_object('category', 'TRANSIENT',
        'scope', 'delivery', 'code', 'lease_expired', 'message', 'the worker gave no sign of life'),
        interval '15 seconds', v_now);
    end if;
    return query select v_row.workspace_id, v_row.delivery_id, v_row.status, v_became;
  end loop;
end
$$;

-- What waited past its time is dead, with its own reason: the watchman tells it. Nothing of it was sent.
create or replace function expire_deliveries(p_workspace_id text, p_limit integer, p_now timestamptz)
returns void language sql as $$
  with expired as (
    update deliveries d
    set status = 'dead', next_retry_at = null, updated_at = p_now,
      last_error = jsonb_build_object('category', 'PERMANENT', 'scope', 'delivery', 'code', 'expired',
        'message', 'waited longer than its channel lets a post wait')
    where d.ctid = any(array(
      select x.ctid from deliveries x
      where x.is_waiting and x.expires_at <= p_now and (p_workspace_id is null or x.workspace_id = p_workspace_id)
      order by x.expires_at limit p_limit for update skip locked))
    returning d.*
  )
  insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
  select e.workspace_id, ordered_uuid(), e.delivery_id, e.message_id, e.channel_id, p_now, 'dead_letter', e.attempt,
    'error', e.last_error, jsonb_strip_nulls(jsonb_build_object('trace_id', e.trace_id))
  from expired e;
$$;

-- A clock that was set back would stop whatever it had timed for the hours it lost. What was written "later than now"
-- is brought back to now; plans for the future and waits that a provider asked for stay.
create or replace function heal_clock(p_now timestamptz) returns void language sql as $$
  update platform_limits l set probe_token = null, probe_until = null
  where l.failures > 0 and l.probe_until > p_now + interval '1 minute';
  update platform_limits l
  set next_allowed_at = coalesce(l.cooldown_until, p_now), last_send_at = least(l.last_send_at, p_now)
  where l.last_send_at > p_now + interval '1 minute'
    or l.next_allowed_at > p_now + interval '1 minute' + coalesce(rate_step(l.rate_rps), interval '0')
      and coalesce(l.cooldown_until < l.next_allowed_at, true);
  update channels c
  set next_allowed_at = least(c.next_allowed_at, p_now), last_send_at = least(c.last_send_at, p_now),
    closed_until = null, updated_at = least(c.updated_at, p_now)
  where c.next_allowed_at > p_now + interval '1 minute' + coalesce(rate_step(c.rate_rps), interval '0')
    or c.last_send_at > p_now + interval '1 minute' or c.updated_at > p_now + interval '1 minute';
  update pull_sources s
  set next_run_at = least(s.next_run_at, p_now), lease_until = least(s.lease_until, p_now + interval '3 minutes')
  from pull_cursors c
  where c.workspace_id = s.workspace_id and c.source_id = s.source_id and c.updated_at > p_now + interval '1 minute';
  update deliveries d set not_before = p_now, created_at = p_now, updated_at = p_now
  where d.is_waiting and d.status = 'queued' and d.not_before > p_now and d.created_at > p_now + interval '1 minute'
    and coalesce(d.scheduled_for <= p_now, true);
  update deliveries d set next_retry_at = p_now, updated_at = p_now
  where d.is_waiting and d.status = 'retry' and d.next_retry_at > p_now and d.updated_at > p_now + interval '1 minute';
  update deliveries d set claimed_at = p_now, heartbeat_at = p_now, not_before = least(d.not_before, p_now)
  where d.is_in_hand and coalesce(d.heartbeat_at, d.claimed_at) > p_now + interval '1 minute';
$$;

-- An operator's word. Outcomes: retry; duplicate, when the same content is on its way or was sent within the channel's
-- window; refused, when this status is not the operator's to change, which for failed_permanent means an error that was
-- the channel's and not the delivery's.
create or replace function requeue_deliveries(
  p_workspace_id text, p_delivery_ids uuid[], p_operator text, p_reason text, p_attempts integer default 5,
  p_now timestamptz default null
) returns table (delivery_id uuid, outcome text) language plpgsql as $$
declare
  v_now timestamptz;
begin
  -- The message's row orders us among requeues and enqueues of the same content.
  perform from messages m where m.workspace_id = p_workspace_id and m.message_id in (
    select d.message_id from deliveries d where d.workspace_id = p_workspace_id and d.delivery_id = any(p_delivery_ids))
  order by m.message_id for no key update;
  v_now := coalesce(p_now, clock_timestamp());
  return query
  with asked as materialized (
    select d.* from deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any(p_delivery_ids)
      and (d.status in ('dead', 'unknown')
        or d.status = 'failed_permanent' and coalesce(d.last_error ->> 'scope', 'delivery') = 'delivery')
    for update
  ), judged as materialized (
    select a.*, a.copy > 1 or exists (
        select from deliveries d where d.workspace_id = p_workspace_id and d.channel_id = a.channel_id
          and d.hash_version = a.hash_version and d.content_hash = a.content_hash and d.delivery_id <> a.delivery_id
          and d.status in ('queued', 'claimed', 'sending', 'retry', 'unknown')
      ) or exists (
        select from deliveries d join channels c on c.workspace_id = p_workspace_id and c.channel_id = d.channel_id
        where d.workspace_id = p_workspace_id and d.channel_id = a.channel_id and d.hash_version = a.hash_version
          and d.content_hash = a.content_hash and d.status = 'sent' and d.sent_at is not null
          and d.sent_at >= v_now - coalesce(c.dedup_ttl_hours, 168) * interval '1 hour'
      ) as is_repeat
    from (
      select x.*, row_number() over (partition by x.channel_id, x.hash_version, x.content_hash order by x.seq) as copy
      from asked x
    ) a
  ), moved as (
    update deliveries d
    set status = 'retry', next_retry_at = v_now, not_before = least(d.not_before, v_now), claimed_at = null,
      claim_token = null, heartbeat_at = null, sending_started_at = null, is_preparing = false,
      attempt_limit = greatest(d.attempt_limit, d.attempt + p_attempts), updated_at = v_now,
      expires_at = (select case when c.expire_hours is null then 'infinity'
          else greatest(d.expires_at, v_now + c.expire_hours * interval '1 hour') end
        from channels c where c.workspace_id = p_workspace_id and c.channel_id = d.channel_id)
    from judged j where d.workspace_id = p_workspace_id and d.delivery_id = j.delivery_id and not j.is_repeat
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, j.status as was
  ), noted as (
    insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, meta)
    select p_workspace_id, ordered_uuid(), m.delivery_id, m.message_id, m.channel_id, v_now, 'manual_requeue',
      m.attempt, jsonb_build_object('operator', p_operator, 'reason', masked(p_reason), 'from_status', m.was)
    from moved m
  )
  select asked_id, case when m.delivery_id is not null then 'retry' when j.is_repeat then 'duplicate' else 'refused' end
  from unnest(p_delivery_ids) as asked_id
  left join judged j on j.delivery_id = asked_id
  left join moved m on m.delivery_id = asked_id;
  perform pg_notify('deliveries', p_workspace_id);
end
$$;

-- An operator knows that the platform is back, or that a wait was a mistake: the group begins at once, and with a clean
-- slate. Returns the platforms on which it was stopped.
create or replace function resume_group(
  p_workspace_id text, p_rate_group text, p_platform text, p_operator text, p_reason text, p_now timestamptz default null
) returns setof text language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
  return query
  with resumed as (
    update platform_limits l
    set cooldown_until = null, next_allowed_at = least(l.next_allowed_at, v_now), failures = 0, failing_since = null,
      probe_token = null, probe_until = null, updated_at = v_now
    where l.workspace_id = p_workspace_id and l.rate_group = p_rate_group
      and (p_platform is null or l.platform = p_platform) and (l.cooldown_until > v_now or l.failures > 0)
    returning l.platform
  ), noted as (
    insert into events (workspace_id, id, ts, action, meta)
    select p_workspace_id, ordered_uuid(), v_now, 'group_resumed', jsonb_build_object('platform', r.platform,
      'rate_group', p_rate_group, 'operator', p_operator, 'reason', masked(p_reason))
    from resumed r
  )
  select r.platform from resumed r;
  -- Those that met the stopped group wait for its end: it has come.
  update deliveries d set next_retry_at = v_now
  where d.workspace_id = p_workspace_id and d.is_waiting and d.status = 'retry' and d.next_retry_at > v_now
    and d.last_error ->> 'scope' = 'platform' and d.channel_id in (
      select c.channel_id from channels c where c.workspace_id = p_workspace_id and c.rate_group = p_rate_group
        and (p_platform is null or c.platform = p_platform));
  perform pg_notify('deliveries', p_workspace_id);
end
$$;

-- An operator looked: an unknown delivery is there after all, with or without its id.
drop function if exists confirm_sent(text, uuid, text, text, timestamptz); -- without a reason, as it was
create or replace function confirm_sent(
  p_workspace_id text, p_delivery_id uuid, p_operator text, p_provider_message_id text default null,
  p_reason text default null, p_now timestamptz default null
) returns boolean language sql as $$
  with moved as (
    update deliveries d
    set status = 'sent', sent_at = coalesce(d.sending_started_at, p_now, clock_timestamp()),
      provider_message_id = p_provider_message_id, last_error = null, updated_at = coalesce(p_now, clock_timestamp())
    where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'unknown'
    returning d.*
  ), noted as (
    insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, meta)
    select m.workspace_id, ordered_uuid(), m.delivery_id, m.message_id, m.channel_id, m.updated_at,
      'unknown_resolved', m.attempt,
      jsonb_build_object('operator', p_operator, 'reason', masked(p_reason), 'to', 'sent')
    from moved m
  )
  select exists (select from moved)
$$;

-- An operator gives up what waits or is unknown.
create or replace function abandon_deliveries(
  p_workspace_id text, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default null
) returns setof uuid language sql as $$
  with moved as (
    update deliveries d
    set status = 'dead', next_retry_at = null, claim_token = null, claimed_at = null, heartbeat_at = null,
      updated_at = coalesce(p_now, clock_timestamp())
    where d.workspace_id = p_workspace_id and d.delivery_id = any(p_delivery_ids)
      and d.status in ('queued', 'claimed', 'retry', 'unknown')
    returning d.*
  ), noted as (
    insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select m.workspace_id, ordered_uuid(), m.delivery_id, m.message_id, m.channel_id, m.updated_at,
      'dead_letter', m.attempt, 'error', jsonb_build_object('operator', p_operator, 'reason', masked(p_reason))
    from moved m
  )
  select m.delivery_id from moved m
$$;

-- Removes old finished rows in small batches, so that locks stay short. Returns how many were removed.
create or replace function purge_autopost(
  p_events interval default '30 days', p_deliveries interval default '90 days', p_limit integer default 5000,
  p_now timestamptz default null
) returns table (events bigint, deliveries bigint, messages bigint, receipts bigint) language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
  delete from events e where e.id in (
    select o.id from workspaces w cross join lateral (
      select x.id from events x
      where x.workspace_id = w.workspace_id and x.ts < v_now - p_events order by x.ts limit p_limit
    ) o limit p_limit);
  get diagnostics events = row_count;
  delete from deliveries d where d.ctid = any(array(
    select x.ctid from deliveries x
    join channels c on c.workspace_id = x.workspace_id and c.channel_id = x.channel_id
    where x.status in ('sent', 'deduped', 'failed_permanent', 'dead')
      -- By what was sent within its window a channel knows a repeat.
      and x.updated_at < v_now - greatest(p_deliveries, c.dedup_ttl_hours * interval '1 hour')
    limit p_limit));
  get diagnostics deliveries = row_count;
  delete from messages m where m.ctid = any(array(
    select x.ctid from messages x
    where x.last_seen_at < v_now - p_deliveries and not exists (
      select from deliveries d where d.workspace_id = x.workspace_id and d.message_id = x.message_id)
    limit p_limit));
  get diagnostics messages = row_count;
  delete from ingress_receipts r where r.ctid = any(array(
    select x.ctid from ingress_receipts x where x.expires_at < v_now limit p_limit));
  get diagnostics receipts = row_count;
  return next;
end
$$;

-- The shop bot: what is kept --------------------------------------------------------------------------

-- A customer of a shop writes to its bot in MAX; rules in a table answer. Every key holds the workspace. What is written
-- with every message has no foreign key: checking one would lock the row of the workspace each time.

create table if not exists bot_rules (
  workspace_id      text not null references workspaces(workspace_id) on delete cascade,
  rule_id           text not null,
  version           integer not null check (version > 0),
  enabled           boolean not null default true,
  intent            text not null,
  pattern           jsonb not null constraint bot_rules_pattern_known
                    check (pattern ->> 'mode' = 'contains' and jsonb_typeof(pattern -> 'keywords') = 'array'),
  priority          integer not null default 0,
  max_turns         integer not null default 5 check (max_turns > 0),
  response_template text not null,
  next_state        text, -- null: the state stays; 'default': the scenario ends
  created_at        timestamptz not null default now(),
  state             text, -- null: anywhere
  capture           text, -- the name under which the customer's words are kept
  expects           text, -- of the customer's words
  buttons           jsonb not null default '[]', -- [{"text", "rule"}]
  media             jsonb, -- {"type": "image", "url"}
  operator_template text, -- a line for the operator's chat
  primary key (workspace_id, rule_id, version)
);
select pg_temp.only_known('bot_rules', 'expects', 'bot_rules_expects_known', array['order_number', 'photo']);
create unique index if not exists idx_bot_rules_enabled on bot_rules(workspace_id, rule_id) where enabled;

-- Grows with every change of a workspace's rules, so that a process knows whether those it has compiled are the present.
create table if not exists bot_rule_sets (
  workspace_id text primary key references workspaces(workspace_id) on delete cascade,
  revision     bigint not null
);

create table if not exists bot_inbox (
  workspace_id        text not null,
  provider            text not null,
  chat_id             text not null,
  provider_message_id text not null,
  ts                  timestamptz not null default now(),
  unique (workspace_id, provider, chat_id, provider_message_id)
);
create index if not exists idx_bot_inbox_ts on bot_inbox using brin (ts);

create table if not exists bot_state (
  workspace_id text not null references workspaces(workspace_id) on delete cascade,
  chat_id      text not null,
  state        text not null default 'default',
  context      jsonb not null default '{}', -- {v, turns, misses, vars, ...}: the context of machines/shop-dialogue.ts
  expires_at   timestamptz,
  updated_at   timestamptz not null default now(),
  user_id      text, -- a pressed button may come without the number of its chat
  revision     integer not null default 1,
  primary key (workspace_id, chat_id)
) with (fillfactor = 70);
create index if not exists idx_bot_state_user on bot_state(workspace_id, user_id);

create table if not exists bot_outbox (
  id                          bigint generated always as identity primary key, -- also the order within a chat
  workspace_id                text not null,
  chat_id                     text not null,
  inbound_provider_message_id text not null,
  response_hash               text not null,
  sent_at                     timestamptz,
  provider_message_id         text,
  payload                     jsonb not null, -- {text, buttons, media, to, auth_ref, trace_id, idempotency_key}
  status                      text not null default 'queued',
  attempts                    integer not null default 0,
  attempted_at                timestamptz,
  next_try_at                 timestamptz not null default now(),
  last_error                  jsonb,
  created_at                  timestamptz not null default now(),
  unique (workspace_id, chat_id, inbound_provider_message_id)
) with (fillfactor = 70);
select pg_temp.only_known('bot_outbox', 'status', 'bot_outbox_status_known',
  array['queued', 'sending', 'sent', 'unknown', 'failed']);
create index if not exists idx_bot_outbox_open on bot_outbox(chat_id, workspace_id, id)
  where status in ('queued', 'sending');
create index if not exists idx_bot_outbox_due on bot_outbox(next_try_at) where status = 'queued';
create index if not exists idx_bot_outbox_unknown on bot_outbox(workspace_id, id) where status = 'unknown';
create index if not exists idx_bot_outbox_created on bot_outbox using brin (created_at);

create table if not exists bot_logs (
  workspace_id     text not null,
  id               bigint generated always as identity primary key,
  ts               timestamptz not null default now(),
  chat_id          text not null,
  message_text     text not null,
  matched_rule_id  text,
  rule_version     integer,
  state_before     text not null,
  state_after      text not null,
  response_preview text not null,
  meta             jsonb not null default '{}',
  constraint bot_logs_rule_has_version check ((matched_rule_id is null) = (rule_version is null))
);
create index if not exists idx_bot_logs_ts on bot_logs(workspace_id, ts desc);
create index if not exists idx_bot_logs_chat on bot_logs(workspace_id, chat_id, id desc);

-- The shop bot: the rules -----------------------------------------------------------------------------

-- The log names a rule and its version: what that version said may not change behind its back.
create or replace function refuse_bot_rule_change() returns trigger language plpgsql as $$
begin
  raise exception 'version % of rule "%" stays as it is: add version % instead', old.version, old.rule_id,
    old.version + 1 using errcode = 'restrict_violation';
end
$$;

create or replace trigger bot_rules_frozen before update on bot_rules
for each row when ((to_jsonb(old) - 'enabled') is distinct from (to_jsonb(new) - 'enabled'))
execute function refuse_bot_rule_change();

create or replace function renew_bot_rule_set() returns trigger language plpgsql as $$
begin
  insert into bot_rule_sets as s (workspace_id, revision)
  select distinct r.workspace_id, 1 from changed r join workspaces w on w.workspace_id = r.workspace_id
  on conflict (workspace_id) do update set revision = s.revision + 1;
  return null;
end
$$;

create or replace trigger bot_rules_added after insert on bot_rules
referencing new table as changed for each statement execute function renew_bot_rule_set();
create or replace trigger bot_rules_switched after update on bot_rules
referencing new table as changed for each statement execute function renew_bot_rule_set();
create or replace trigger bot_rules_removed after delete on bot_rules
referencing old table as changed for each statement execute function renew_bot_rule_set();

-- A change makes a new version and switches the one before off; what is the same stays. p_rules: objects with the names
-- of the columns, no rule twice. For all of them together: one by one, ten thousand took a minute.
drop function if exists save_bot_rule(text, jsonb);
create or replace function save_bot_rules(p_workspace_id text, p_rules jsonb)
returns table (rule_id text, version integer, outcome text) language plpgsql as $$
declare
  v_rules jsonb;
begin
  -- Two changes of one rule at once come one after the other, each with a version of its own.
  perform pg_advisory_xact_lock(hashtextextended('bot rules of ' || p_workspace_id, 0));
  select coalesce(jsonb_agg(jsonb_build_object('rule', to_jsonb(n) - 'version', 'version', coalesce(l.version, 0),
    'same', o.version is not null and to_jsonb(n) - '{version,created_at}'::text[] = to_jsonb(o) - '{version,created_at}'::text[])
    order by g.place), '[]') into v_rules
  from jsonb_array_elements(p_rules) with ordinality g (rule, place)
  cross join lateral jsonb_populate_record(null::bot_rules,
    jsonb_build_object('priority', 0, 'max_turns', 5, 'buttons', '[]'::jsonb) || jsonb_strip_nulls(g.rule)
    || jsonb_build_object('workspace_id', p_workspace_id, 'enabled', true, 'created_at', clock_timestamp())) n
  left join bot_rules o on o.workspace_id = p_workspace_id and o.rule_id = n.rule_id and o.enabled
  left join lateral (
    select max(r.version) as version from bot_rules r where r.workspace_id = p_workspace_id and r.rule_id = n.rule_id
  ) l on true;
  update bot_rules r set enabled = false from jsonb_array_elements(v_rules) g
  where r.workspace_id = p_workspace_id and r.rule_id = g -> 'rule' ->> 'rule_id' and r.enabled
    and not (g ->> 'same')::boolean;
  insert into bot_rules
  select n.* from jsonb_array_elements(v_rules) g, jsonb_populate_record(null::bot_rules,
    g -> 'rule' || jsonb_build_object('version', (g ->> 'version')::integer + 1)) n
  where not (g ->> 'same')::boolean;
  return query
    select g.saved -> 'rule' ->> 'rule_id', (g.saved ->> 'version')::integer + (not (g.saved ->> 'same')::boolean)::integer,
      case when (g.saved ->> 'same')::boolean then 'same' when (g.saved ->> 'version')::integer = 0 then 'added'
        else 'changed' end
    from jsonb_array_elements(v_rules) with ordinality g (saved, place) order by g.place;
end
$$;

-- The shop bot: a message ----------------------------------------------------------------------------

-- The gate, and what is known of the chats: everything that decisions need, for all messages that came at once. Nothing
-- is locked when it returns: settle_bot_messages takes a decision only if the state is still the one that was read here.
-- p_requests: [{endpointId, secretHash, bytes, id, chatId, userId, again}]. Without an id there is nothing to be answered:
-- the gate alone. Without a chatId it is the latest chat with this person. `again`: it has passed the gate before.
create or replace function open_bot_messages(p_provider text, p_requests jsonb, p_now timestamptz default null)
returns table (
  place bigint, outcome text, workspace_id text, retry_after_ms double precision, settings_hash text, rule_set bigint,
  chat_id text, state text, context jsonb, expires_at timestamptz, revision integer, at timestamptz
) language plpgsql as $$
declare
  v_end workspace_endpoints;
  v_ask record;
  v_pace interval;
  v_free_at timestamptz;
  v_accepted integer;
  v_places bigint[] := '{}';
begin
  for v_end in
    select e.* from workspace_endpoints e join workspaces w on w.workspace_id = e.workspace_id
    where e.kind = 'bot_webhook' and e.enabled and w.status <> 'disabled' and (e.endpoint_id, e.secret_hash) in (
      select r.value ->> 'endpointId', r.value ->> 'secretHash' from jsonb_array_elements(p_requests) r)
    order by e.workspace_id, e.endpoint_id for no key update of e
  loop
    at := coalesce(p_now, clock_timestamp());
    workspace_id := v_end.workspace_id;
    settings_hash := hashtextextended(v_end.meta::text, 0)::text;
    rule_set := coalesce((select r.revision from bot_rule_sets r where r.workspace_id = v_end.workspace_id), 0);
    v_pace := rate_step(v_end.ingress_rps);
    v_accepted := 0;
    for v_ask in
      select r.place, r.bytes, r.again, r.id, c.chat_id, s.state, s.context, s.expires_at,
        coalesce(s.revision, 0) as revision, r.id is not null and exists (
          select from bot_inbox i where i.workspace_id = v_end.workspace_id and i.provider = p_provider
            and i.chat_id in (c.chat_id, 'user:' || r."userId") and i.provider_message_id = r.id) as is_repeat
      from rows from (jsonb_to_recordset(p_requests) as (
          "endpointId" text, "secretHash" text, bytes integer, again boolean, id text, "chatId" text, "userId" text))
        with ordinality r ("endpointId", "secretHash", bytes, again, id, "chatId", "userId", place)
        cross join lateral (select coalesce(r."chatId", (
          select b.chat_id from bot_state b where b.workspace_id = v_end.workspace_id and b.user_id = r."userId"
          order by b.updated_at desc limit 1), 'user:' || r."userId") as chat_id) c
        left join bot_state s on s.workspace_id = v_end.workspace_id and s.chat_id = c.chat_id
      where r."endpointId" = v_end.endpoint_id and r."secretHash" = v_end.secret_hash
      order by r.place
    loop
      place := v_ask.place;
      v_places := v_places || place;
      outcome := 'accepted';
      retry_after_ms := null;
      if not v_ask.again then
        v_end.paced_until := paced_from(v_end.paced_until, v_pace, at);
        v_free_at := v_end.paced_until + v_pace - greatest(interval '1 second', v_pace);
        -- No endpoint takes more than a mebibyte: the server stops reading the request there.
        if v_ask.bytes > least(v_end.max_payload_bytes, 1048576) then
          outcome := 'ingress_payload_rejected';
        elsif v_free_at > at then
          outcome := 'ingress_rate_limited';
          retry_after_ms := milliseconds_until(v_free_at, at);
        elsif v_pace is not null then
          v_end.paced_until := v_end.paced_until + v_pace;
        end if;
      end if;
      if outcome = 'accepted' and v_ask.is_repeat then outcome := 'ingress_dedup_dropped'; end if;
      if outcome <> 'accepted' then
        insert into events (workspace_id, id, ts, action, result, meta)
        values (v_end.workspace_id, ordered_uuid(), at, outcome, 'error', jsonb_build_object(
          'endpoint_id', v_end.endpoint_id, 'source_ref', masked(v_ask.id), 'bytes', v_ask.bytes));
        perform count_ingress(v_end.workspace_id, v_end.endpoint_id, replace(outcome, 'ingress_', ''), at);
      elsif v_ask.id is not null and not v_ask.again then
        v_accepted := v_accepted + 1;
      end if;
      chat_id := v_ask.chat_id;
      state := v_ask.state;
      context := v_ask.context;
      expires_at := v_ask.expires_at;
      revision := v_ask.revision;
      return next;
    end loop;
    if v_pace is not null then
      update workspace_endpoints e set paced_until = v_end.paced_until
      where e.workspace_id = v_end.workspace_id and e.endpoint_id = v_end.endpoint_id;
    end if;
    if v_accepted > 0 then
      perform count_ingress(v_end.workspace_id, v_end.endpoint_id, 'accepted', at, v_accepted);
    end if;
  end loop;
  return query
    select n, 'unknown_endpoint', null::text, null::double precision, null::text, null::bigint, null::text, null::text,
      null::jsonb, null::timestamptz, null::integer, null::timestamptz
    from generate_series(1, jsonb_array_length(p_requests)::bigint) n where n <> all(v_places);
end
$$;

-- One transaction: the messages are seen, the states move, the answers are due, the log has its lines. Outcomes: settled;
-- stale, when another message of the chat came first: nothing is written of it, the caller decides anew. Every writer of
-- a chat passes the row of its state, so that a repeat which raced with this call finds the revision changed.
-- p_requests: [{workspaceId, chatId, userId, messageId, revision, state, context, expiresAt, log, answers}], the answers
-- [{chat_id, hash, payload}]. Returned of each answer: its id, and whether it may go now, being the first in its chat.
create or replace function settle_bot_messages(
  p_provider text, p_requests jsonb, p_grace interval, p_now timestamptz default null
) returns table (place bigint, outcome text, answers jsonb) language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
  return query
  with asked as materialized (
    -- Of two decisions for one chat the second was made without knowing the first.
    select r.*, row_number() over (partition by r.workspace_id, r.chat_id order by r.place) = 1 as is_first
    from rows from (jsonb_to_recordset(p_requests) as (
        "workspaceId" text, "chatId" text, "userId" text, "messageId" text, revision integer, state text,
        context jsonb, "expiresAt" timestamptz, log jsonb, answers jsonb))
      with ordinality r (workspace_id, chat_id, user_id, message_id, revision, state, context, expires_at, log, answers,
        place)
  ), begun as (
    insert into bot_state as s (workspace_id, chat_id, state, context, expires_at, updated_at, user_id)
    select a.workspace_id, a.chat_id, a.state, a.context, a.expires_at, v_now, a.user_id
    from asked a where a.revision = 0 and a.is_first order by a.workspace_id, a.chat_id
    on conflict do nothing returning s.workspace_id, s.chat_id
  ), held as materialized ( -- in one order everywhere: two processes do not wait for each other
    select s.workspace_id, s.chat_id, a.place
    from asked a join bot_state s on s.workspace_id = a.workspace_id and s.chat_id = a.chat_id and s.revision = a.revision
    where a.revision > 0 and a.is_first order by s.workspace_id, s.chat_id for no key update of s
  ), moved as (
    update bot_state s set state = a.state, context = a.context, expires_at = a.expires_at, updated_at = v_now,
      user_id = coalesce(a.user_id, s.user_id), revision = s.revision + 1
    from held h join asked a on a.place = h.place
    where s.workspace_id = h.workspace_id and s.chat_id = h.chat_id and s.revision = a.revision
    returning s.workspace_id, s.chat_id
  ), settled as materialized (
    select a.* from asked a join (select * from begun union all select * from moved) m
      on m.workspace_id = a.workspace_id and m.chat_id = a.chat_id
    where a.is_first
  ), seen as (
    insert into bot_inbox (workspace_id, provider, chat_id, provider_message_id, ts)
    select s.workspace_id, p_provider, s.chat_id, s.message_id, v_now from settled s
  ), said as materialized (
    select s.place, s.workspace_id, s.message_id, t.nth, t.value ->> 'chat_id' as chat_id, t.value ->> 'hash' as hash,
      t.value -> 'payload' as payload, w.status = 'active'
        and row_number() over (partition by s.workspace_id, t.value ->> 'chat_id' order by s.place, t.nth) = 1
        and not exists (
          select from bot_outbox o where o.chat_id = t.value ->> 'chat_id' and o.workspace_id = s.workspace_id
            and o.status in ('queued', 'sending')) as is_ready
    from settled s join workspaces w on w.workspace_id = s.workspace_id
      cross join lateral jsonb_array_elements(s.answers) with ordinality t (value, nth)
  ), queued as (
    insert into bot_outbox as o (workspace_id, chat_id, inbound_provider_message_id, response_hash, payload, next_try_at,
      created_at)
    select s.workspace_id, s.chat_id, s.message_id, s.hash, s.payload,
      -- One that waits for another is due at once: the note of that other may have come before this row was seen.
      v_now + case when s.is_ready then p_grace else interval '0' end, v_now
    from said s order by s.place, s.nth
    on conflict do nothing returning o.id, o.workspace_id, o.chat_id, o.inbound_provider_message_id as message_id
  ), noted as (
    insert into bot_logs (workspace_id, ts, chat_id, message_text, matched_rule_id, rule_version, state_before,
      state_after, response_preview, meta)
    select s.workspace_id, v_now, s.chat_id, masked(s.log ->> 'text'), s.log ->> 'rule_id',
      (s.log ->> 'rule_version')::integer, s.log ->> 'state_before', s.log ->> 'state_after',
      left(masked(s.log ->> 'preview'), 300), s.log -> 'meta'
    from settled s order by s.place
  ), going as (
    select s.place, jsonb_agg(jsonb_build_object('id', q.id, 'ready', s.is_ready) order by s.nth) as answers
    from said s join queued q
      on q.workspace_id = s.workspace_id and q.chat_id = s.chat_id and q.message_id = s.message_id
    group by s.place
  )
  select a.place, case when s.place is null then 'stale' else 'settled' end,
    case when s.place is not null then coalesce(g.answers, '[]') end
  from asked a left join settled s on s.place = a.place left join going g on g.place = a.place;
end
$$;

-- The shop bot: answers on their way ------------------------------------------------------------------

-- The attempt is on record before MAX is called. Only what is still queued is anyone's to send.
create or replace function begin_bot_answers(p_ids bigint[]) returns setof bigint language sql volatile as $$
  update bot_outbox o set status = 'sending', attempts = o.attempts + 1, attempted_at = clock_timestamp()
  where o.id = any(p_ids) and o.status = 'queued'
  returning o.id
$$;

-- What is due and first in its chat: never attempted by a process that died, or to be tried again.
create or replace function claim_bot_answers(p_limit integer, p_now timestamptz default null)
returns table (id bigint, workspace_id text, payload jsonb, attempts integer) language sql volatile as $$
  update bot_outbox o set status = 'sending', attempts = o.attempts + 1, attempted_at = clock_timestamp()
  where o.id in (
    select q.id from bot_outbox q join workspaces w on w.workspace_id = q.workspace_id
    where q.status = 'queued' and q.next_try_at <= coalesce(p_now, clock_timestamp()) and w.status = 'active'
      and not exists (
        select from bot_outbox b where b.chat_id = q.chat_id and b.workspace_id = q.workspace_id and b.id < q.id
          and b.status in ('queued', 'sending'))
    order by q.next_try_at limit p_limit for update of q skip locked)
  returning o.id, o.workspace_id, o.payload, o.attempts
$$;

-- p_results: [{id, status: sent|unknown|failed|queued, provider_message_id, error, wait_ms}]. An answer that was given up
-- as unknown is believed when its sender, late, knows better. Returns what now comes first in the chats that are free.
create or replace function note_bot_answers(p_results jsonb)
returns table (id bigint, workspace_id text, payload jsonb, attempts integer) language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_chats jsonb;
begin
  with given as (
    select * from jsonb_to_recordset(p_results)
      as r (id bigint, status text, provider_message_id text, error jsonb, wait_ms double precision)
  ), noted as (
    update bot_outbox o set status = g.status, provider_message_id = g.provider_message_id,
      sent_at = case when g.status = 'sent' then v_now end,
      last_error = case when g.error is not null then short_error(g.error) end,
      next_try_at = v_now + coalesce(g.wait_ms, 0) * interval '1 ms',
      -- Put off without a call: it does not count.
      attempts = o.attempts - (g.status = 'queued' and g.error is null)::integer
    from given g where o.id = g.id and o.status in ('sending', 'unknown')
    returning o.workspace_id, o.chat_id, o.status
  )
  select jsonb_agg(distinct jsonb_build_array(n.workspace_id, n.chat_id)) into v_chats
  from noted n where n.status <> 'queued';
  return query
    update bot_outbox o set status = 'sending', attempts = o.attempts + 1, attempted_at = v_now
    where o.id in (
      select first.id from jsonb_array_elements(coalesce(v_chats, '[]')) c cross join lateral (
        select q.id, q.status from bot_outbox q
        where q.chat_id = c ->> 1 and q.workspace_id = c ->> 0 and q.status in ('queued', 'sending')
        order by q.id limit 1
      ) first where first.status = 'queued')
      and o.status = 'queued'
    returning o.id, o.workspace_id, o.payload, o.attempts;
end
$$;

-- An attempt without a result. The answer may have arrived, so it is not repeated.
create or replace function lose_bot_answers(p_lease interval, p_now timestamptz default null)
returns table (id bigint, workspace_id text, chat_id text) language sql volatile as $$
  update bot_outbox o set status = 'unknown',
    last_error = '{"category": "TRANSIENT", "scope": "delivery", "code": "lease_expired", "message": "no result"}'
  where o.status = 'sending' and o.attempted_at < coalesce(p_now, clock_timestamp()) - p_lease
  returning o.id, o.workspace_id, o.chat_id
$$;

-- Texts of people are kept for 30 days. An answer whose fate is unknown waits for an operator.
create or replace function purge_shop_bot(
  p_age interval default '30 days', p_limit integer default 5000, p_now timestamptz default null
) returns table (logs bigint, answers bigint, inbox bigint, states bigint) language plpgsql as $$
declare
  v_before timestamptz := coalesce(p_now, clock_timestamp()) - p_age;
begin
  delete from bot_logs l where l.ctid = any(array(
    select x.ctid from bot_logs x where x.ts < v_before limit p_limit));
  get diagnostics logs = row_count;
  delete from bot_outbox o where o.ctid = any(array(
    select x.ctid from bot_outbox x where x.created_at < v_before and x.status in ('sent', 'failed') limit p_limit));
  get diagnostics answers = row_count;
  delete from bot_inbox i where i.ctid = any(array(
    select x.ctid from bot_inbox x where x.ts < v_before limit p_limit));
  get diagnostics inbox = row_count;
  delete from bot_state s where s.ctid = any(array(
    select x.ctid from bot_state x where x.updated_at < v_before limit p_limit));
  get diagnostics states = row_count;
  return next;
end
$$;

drop function if exists keeps_distance(channels); -- written out where it was used

-- Which versions of this file were applied. A hash that is here is not applied again, whatever came after it.
create table if not exists applied_schemas (
  hash       text primary key,
  applied_at timestamptz not null default now()
);
alter table applied_schemas add column if not exists version integer not null default 0; -- 0: before they were numbered
alter table applied_schemas add column if not exists oldest_process integer not null default 0;

-- Rolls back an older file that was applied in another way than by src/store/schema.ts: processes from before version 29
-- apply theirs at every start, which put old functions back.
create or replace function refuse_older_schema() returns trigger language plpgsql as $$
declare
  v_newest integer;
begin
  select max(version) into v_newest from applied_schemas;
  if new.version < v_newest then
    raise exception 'The database is at schema version %, this program brings an older one: start the newer program.',
      v_newest;
  end if;
  return new;
end
$$;
create or replace trigger applied_schemas_only_grow before insert or update on applied_schemas
  for each row execute function refuse_older_schema();

-- Defence in depth -----------------------------------------------------------------------------------

-- Row level security without policies: only the owner of the tables and the service role, which pass it by,
-- see anything. Switched on where it is off, because switching it on again would lock the table each time.
do $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relrowsecurity
      and c.relname in ('users', 'identities', 'projects', 'platform_connections', 'categories', 'platform_content_overrides',
        'platform_schedules', 'publication_logs', 'token_expenses', 'payments', 'site_audits', 'site_brandings',
        'article_previews', 'article_refreshes', 'planned_topics', 'scheduled_calls', 'queued_calls', 'notices', 'rank_checks', 'competitor_analyses', 'prompt_versions', 'operations', 'conversations', 'fsm_storage', 'session_waiters',
        'seen_updates', 'inbox', 'key_values', 'applied_schemas', 'former_people', 'admin_audit', 'automatic_messages',
        'broadcasts', 'broadcast_recipients', 'broadcast_pace', 'error_log', 'processes', 'owner_alerts',
        'workspaces', 'workspace_endpoints', 'channels', 'channel_auth', 'credential_bindings', 'platform_limits',
        'messages', 'media_origin', 'media_blobs', 'deliveries', 'events', 'pull_sources', 'pull_cursors',
        'ingest_runs', 'ingress_receipts', 'dispatcher_state', 'autopost_jobs', 'autopost_alerts',
        'bot_rules', 'bot_rule_sets', 'bot_inbox', 'bot_state', 'bot_outbox', 'bot_logs')
  loop
    execute format('alter table %s enable row level security', v_table);
  end loop;
end
$$;
