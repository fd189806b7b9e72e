-- The whole database. Idempotent: running it twice changes nothing, and the bot runs it at start.
-- PostgreSQL 15 or newer, and PGlite.
--
-- Thirteen tables come from the architecture document; the rest serve the engine: keyed operations,
-- sessions, and small values with an expiry.

-- People and what they own ---------------------------------------------------------------------------

create table if not exists users (
  id                  bigint primary key, -- Telegram user id
  username            varchar(255),
  first_name          varchar(255),
  last_name           varchar(255),
  -- 1500 is the welcome bonus: balance = 1500 + sum(token_expenses.amount) at every instant.
  balance             integer not null default 1500,
  language            varchar(10) default 'ru',
  role                varchar(20) default 'user' constraint users_role_known check (role in ('user', 'admin')),
  referrer_id         bigint references users(id) on delete set null,
  notify_publications boolean default true,
  notify_balance      boolean default true,
  notify_news         boolean default true,
  created_at          timestamptz default now(),
  last_activity       timestamptz default now()
);
create index if not exists idx_users_referrer on users(referrer_id);
create index if not exists idx_users_activity on users(last_activity);

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

create table if not exists platform_connections (
  id            serial primary key,
  project_id    integer not null references projects(id) on delete cascade,
  platform_type varchar(20) not null constraint connections_platform_known
                check (platform_type in ('wordpress', 'telegram', 'vk', 'pinterest', 'max')),
  status        varchar(20) default 'active' constraint connections_status_known
                check (status in ('active', 'error', 'disconnected')),
  credentials   text not null, -- sealed JSON (Fernet)
  metadata      jsonb default '{}',
  identifier    varchar(500) not null, -- in the clear, for the unique constraint
  created_at    timestamptz default now(),
  unique (project_id, platform_type, identifier)
);
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

create table if not exists platform_content_overrides (
  id             serial primary key,
  category_id    integer not null references categories(id) on delete cascade,
  platform_type  varchar(20) not null constraint overrides_platform_known
                 check (platform_type in ('wordpress', 'telegram', 'vk', 'pinterest', 'max')),
  image_settings jsonb, -- null: inherited from the category
  text_settings  jsonb, -- null: inherited from the category
  unique (category_id, platform_type)
);

create table if not exists platform_schedules (
  id                  serial primary key,
  category_id         integer not null references categories(id) on delete cascade,
  platform_type       varchar(20) not null constraint schedules_platform_known
                      check (platform_type in ('wordpress', 'telegram', 'vk', 'pinterest', 'max')),
  connection_id       integer not null references platform_connections(id) on delete cascade,
  schedule_days       text[] default '{}', -- {mon, tue, wed, thu, fri, sat, sun}
  schedule_times      text[] default '{}', -- {09:00, 12:00, 18:00}
  posts_per_day       integer default 1 check (posts_per_day between 1 and 5),
  enabled             boolean default false,
  status              varchar(20) default 'active' constraint schedules_status_known
                      check (status in ('active', 'error')),
  qstash_schedule_ids text[] default '{}', -- one per time slot
  last_post_at        timestamptz,
  created_at          timestamptz default now(),
  unique (category_id, platform_type, connection_id),
  -- Empty until the times are chosen, then exactly posts_per_day of them.
  check (schedule_times = '{}' or array_length(schedule_times, 1) = posts_per_day)
);
create index if not exists idx_schedules_enabled on platform_schedules(enabled) where enabled = true;

create table if not exists publication_logs (
  id                 serial primary key,
  user_id            bigint not null references users(id) on delete cascade,
  project_id         integer not null references projects(id) on delete cascade,
  category_id        integer references categories(id) on delete set null,
  platform_type      varchar(20) not null constraint publications_platform_known
                     check (platform_type in ('wordpress', 'telegram', 'vk', 'pinterest', 'max')),
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
  status             varchar(20) default 'success' constraint publications_status_known
                     check (status in ('success', 'failed', 'cancelled')),
  error_message      text,
  rank_position      integer,
  rank_checked_at    timestamptz,
  created_at         timestamptz default now()
);
-- One publication is noted once, however often the operation behind it is run.
alter table publication_logs add column if not exists operation_key text;
create unique index if not exists idx_pub_logs_operation on publication_logs(operation_key);
create index if not exists idx_pub_logs_user on publication_logs(user_id, created_at desc);
create index if not exists idx_pub_logs_project on publication_logs(project_id);
create index if not exists idx_pub_logs_category on publication_logs(category_id, created_at desc);
create index if not exists idx_pub_logs_rotation
  on publication_logs(category_id, created_at desc) include (keyword);

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
  status             varchar(20) default 'draft' constraint previews_status_known
                     check (status in ('draft', 'published', 'cancelled', 'expired')),
  content_html       text,
  images             jsonb default '[]', -- [{url, storage_path, width, height, alt, filename, caption}]
  created_at         timestamptz default now(),
  expires_at         timestamptz default (now() + interval '24 hours')
);
-- The draft is opened by the operation that charges for it, once. Details: what publishing needs beside the text.
alter table article_previews add column if not exists operation_key text;
alter table article_previews add column if not exists details jsonb not null default '{}';
create unique index if not exists idx_previews_operation on article_previews(operation_key);
create index if not exists idx_previews_user on article_previews(user_id);
create index if not exists idx_previews_expires on article_previews(expires_at) where status = 'draft';

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
  provider                   varchar(20) not null constraint payments_provider_known
                             check (provider in ('stars', 'yookassa')),
  status                     varchar(20) not null default 'pending' constraint payments_status_known
                             check (status in ('pending', 'completed', 'refunded', 'failed')),
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
  subscription_status        varchar(20) constraint payments_subscription_status_known
                             check (subscription_status in ('active', 'paused', 'cancelled')),
  subscription_expires_at    timestamptz,
  referral_bonus_credited    boolean default false,
  created_at                 timestamptz default now()
);
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

create or replace function refund_balance(
  p_user_id bigint, p_amount integer, p_key text, p_operation_type text default 'refund',
  p_description text default null
) returns integer language sql as $$
  select move_balance(p_user_id, positive_amount(p_amount), true, false, p_key, p_operation_type, p_description,
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

-- Keyed operations -----------------------------------------------------------------------------------

create table if not exists operations (
  key          text primary key,
  user_id      bigint not null,
  request_hash text not null,
  status       text not null default 'running' constraint operations_status_known
               check (status in ('running', 'done')),
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

-- One row per person: the session, and the lock of whoever is changing it. A row without a session
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
  shown_message_id bigint,
  attention_at     timestamptz,
  attention_owner  text,
  lock_token       text,
  lock_until       timestamptz,
  throttle_count   integer not null default 0,
  throttle_until   timestamptz,
  expires_at       timestamptz not null default now()
);
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
    where bot_id = p_bot_id and user_id = p_user_id order by seen_at desc offset p_kept
  ) old
  where s.bot_id = p_bot_id and s.user_id = p_user_id and s.update_id = old.update_id;
$$;

-- One attempt to get a person's lock; everything is decided under the row's lock, by this server's clock.
create or replace function session_acquire(
  p_bot_id bigint, p_user_id bigint, p_ticket text, p_order bigint, p_update_id bigint,
  p_throttle_per_minute integer, p_lease_ms double precision, p_waiter_ttl_ms double precision,
  p_seen_ttl_seconds double precision
) returns table (
  outcome text, revision integer, session text, shown_revision integer, shown_message_id bigint,
  attention_at bigint, attention_owner text
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
      return query select 'throttled', 0, null::text, null::integer, null::bigint, null::bigint, null::text;
      return;
    end if;
    v_row.throttle_count := v_row.throttle_count + 1;
    v_counted := true;
  end if;

  if v_row.lock_until > v_now and v_row.lock_token = p_ticket then
    null; -- held already: the lease is renewed below, whoever may be waiting
  elsif v_row.lock_until > v_now or exists (
    select from session_waiters w
    where w.bot_id = p_bot_id and w.user_id = p_user_id and w.ticket <> p_ticket and w.position < v_position
      and w.asked_at > v_now - p_waiter_ttl_ms * interval '1 ms'
  ) then
    insert into session_waiters (bot_id, user_id, ticket, position, asked_at)
    values (p_bot_id, p_user_id, p_ticket, v_position, v_now)
    on conflict (bot_id, user_id, ticket) do update set asked_at = excluded.asked_at;
    if v_counted then
      update fsm_storage s set throttle_count = v_row.throttle_count, throttle_until = v_row.throttle_until
      where s.storage_key = v_row.storage_key;
    end if;
    return query select 'wait', 0, null::text, null::integer, null::bigint, null::bigint, null::text;
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
    attention_at := round(extract(epoch from v_row.attention_at) * 1000);
    attention_owner := v_row.attention_owner;
  end if;
  return next;
end
$$;

-- No row: the revision is no longer the one that was read, and the writer lost.
create or replace function session_save(
  p_bot_id bigint, p_user_id bigint, p_revision integer, p_data text, p_state text,
  p_attention_at timestamptz, p_attention_owner text, p_ttl_ms double precision,
  p_update_id bigint, p_seen_kept integer
) returns table (revision integer, shown_revision integer, shown_message_id bigint) language plpgsql as $$
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
  if v_row.revision <> p_revision then
    return;
  end if;

  insert into fsm_storage as s (storage_key, bot_id, chat_id, user_id, state, data, updated_at, revision,
    attention_at, attention_owner, expires_at)
  values (session_key(p_bot_id, p_user_id), p_bot_id, p_user_id, p_user_id, p_state, p_data, clock_timestamp(),
    p_revision + 1, p_attention_at, p_attention_owner, clock_timestamp() + p_ttl_ms * interval '1 ms')
  on conflict (storage_key) do update
  set state = excluded.state, data = excluded.data, updated_at = excluded.updated_at,
    revision = excluded.revision, attention_at = excluded.attention_at,
    attention_owner = excluded.attention_owner, expires_at = excluded.expires_at,
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

-- p_attention_given tells "leave it" from "clear it", which both come as null.
create or replace function session_release(
  p_bot_id bigint, p_user_id bigint, p_token text, p_revision integer,
  p_shown_revision integer, p_shown_message_id bigint,
  p_attention_given boolean, p_attention_at timestamptz, p_attention_owner text,
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
      if p_attention_given and v_row.revision = p_revision then
        v_row.attention_at := p_attention_at;
        v_row.attention_owner := p_attention_owner;
      end if;
    end if;
    update fsm_storage s
    set lock_token = v_row.lock_token, lock_until = v_row.lock_until,
      shown_revision = v_row.shown_revision, shown_message_id = v_row.shown_message_id,
      attention_at = v_row.attention_at, attention_owner = v_row.attention_owner
    where s.storage_key = v_row.storage_key;
  end if;
  if p_update_id is not null then
    perform note_seen_update(p_bot_id, p_user_id, p_update_id, p_seen_kept);
  end if;
end
$$;

create table if not exists key_values (
  key        text primary key,
  value      text not null,
  expires_at timestamptz not null
);
create index if not exists idx_key_values_expires on key_values(expires_at);

-- The hashes of this file, so that an unchanged one need not be run.
create table if not exists applied_schemas (
  hash       text primary key,
  applied_at timestamptz not null default now()
);

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
      and c.relname in ('users', 'projects', 'platform_connections', 'categories', 'platform_content_overrides',
        'platform_schedules', 'publication_logs', 'token_expenses', 'payments', 'site_audits', 'site_brandings',
        'article_previews', 'prompt_versions', 'operations', 'conversations', 'fsm_storage', 'session_waiters',
        'seen_updates', 'key_values', 'applied_schemas')
  loop
    execute format('alter table %s enable row level security', v_table);
  end loop;
end
$$;
