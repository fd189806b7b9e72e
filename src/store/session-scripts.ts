import { SEEN_UPDATES_KEPT, SEEN_UPDATES_TTL_SECONDS, WAITER_TTL_MS } from '../engine/session-store.ts';

/**
 * The session store's scripts for Redis. A person's session is a hash:
 * v revision, d session, sr and sm the shown revision and message, aa and ao the attention's time and owner.
 *
 * A script is told what all keys of the person begin with, and nothing that never changes: the client spends more time
 * on handing over an argument than the server on the whole script.
 */

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Newest kept, by the time they were seen: Telegram's ids jump after a quiet week. */
const noteSeen = `
local function note_seen(key, update_id)
  if update_id == '' then return end
  ${now}
  redis.call('ZADD', key, now, update_id)
  redis.call('ZREMRANGEBYRANK', key, 0, ${-SEEN_UPDATES_KEPT - 1})
  redis.call('EXPIRE', key, ${SEEN_UPDATES_TTL_SECONDS})
end
`;

/** What the index of attention knows the person by. */
const userId = `
local user_id = string.match(KEYS[1], '{(%-?%d+)}')
`;

/** Waiters are a hash, ticket → "order askedAt": usually there are none, and never many. */
export const acquireScript = `
local person = KEYS[1]
local session, lock, waiters = person .. 'session', person .. 'lock', person .. 'waiters'
local ticket, lease_ms, order, update_id, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
${now}
local holder = redis.call('GET', lock)
local known, somebody_before = holder == ticket, false
local waiting = redis.call('HGETALL', waiters)
for i = 1, #waiting, 2 do
  local its_order, asked_at = string.match(waiting[i + 1], '^(%S+) (%S+)$')
  local silent_ms = now - tonumber(asked_at)
  if waiting[i] == ticket then
    known = true
  elseif silent_ms < ${WAITER_TTL_MS} then
    somebody_before = somebody_before or tonumber(its_order) < tonumber(order)
  elseif silent_ms > 60000 then
    -- A minute, not the waiters' lifetime: one that slept and asks again was counted already.
    redis.call('HDEL', waiters, waiting[i])
  end
end

if limit ~= '' and not known then
  local count = redis.call('INCR', person .. 'throttle')
  if count == 1 then redis.call('PEXPIRE', person .. 'throttle', 60000) end
  if count > tonumber(limit) then return {'throttled'} end
end

if holder ~= ticket and (holder or somebody_before) then
  redis.call('HSET', waiters, ticket, order .. ' ' .. string.format('%.0f', now))
  redis.call('PEXPIRE', waiters, 60000)
  return {'wait'}
end

redis.call('SET', lock, ticket, 'PX', lease_ms)
if known then redis.call('HDEL', waiters, ticket) end
local outcome = 'held'
if update_id ~= '' then
  local seen_at = redis.call('ZSCORE', person .. 'seen', update_id)
  if seen_at and tonumber(seen_at) > now - ${SEEN_UPDATES_TTL_SECONDS * 1_000} then outcome = 'repeat' end
end
local record = redis.call('HMGET', session, 'v', 'd', 'sr', 'sm', 'aa', 'ao')
return {outcome, record[1], record[2], record[3], record[4], record[5], record[6]}
`;

/** Nil: the revision is no longer the one that was read. An expired session counts as revision 0. */
export const saveScript = `
${noteSeen}
${userId}
local session, attention = KEYS[1] .. 'session', KEYS[2]
local revision, data, attention_at, attention_owner = ARGV[1], ARGV[2], string.match(ARGV[3], '^(%S+) (.*)$')
local record = redis.call('HMGET', session, 'v', 'sr', 'sm', 'aa')
if (record[1] or '0') ~= revision then return nil end

local next_revision = string.format('%.0f', revision + 1)
if attention_at then
  redis.call('HSET', session, 'v', next_revision, 'd', data, 'aa', attention_at, 'ao', attention_owner)
  redis.call('ZADD', attention, attention_at, user_id)
else
  redis.call('HSET', session, 'v', next_revision, 'd', data)
  if record[4] then
    redis.call('HDEL', session, 'aa', 'ao')
    redis.call('ZREM', attention, user_id)
  end
end
redis.call('PEXPIRE', session, ARGV[4])
note_seen(KEYS[1] .. 'seen', ARGV[5])
return {record[2], record[3]}
`;

export const releaseScript = `
${noteSeen}
${userId}
local session, lock, attention = KEYS[1] .. 'session', KEYS[1] .. 'lock', KEYS[2]
local token, revision = ARGV[1], ARGV[2]
local shown_revision, shown_message = string.match(ARGV[3], '^(%S+) (%S+)$')
local attention_at, attention_owner = string.match(ARGV[4], '^(%S+) (.*)$')
if redis.call('GET', lock) == token then redis.call('DEL', lock) end

local record = redis.call('HMGET', session, 'v', 'sr')
if record[1] then
  if shown_revision and tonumber(shown_revision) >= tonumber(record[2] or '0') then
    redis.call('HSET', session, 'sr', shown_revision, 'sm', shown_message)
  end
  if record[1] == revision and attention_at then
    redis.call('HSET', session, 'aa', attention_at, 'ao', attention_owner)
    redis.call('ZADD', attention, attention_at, user_id)
  elseif record[1] == revision and ARGV[4] == '' then
    redis.call('HDEL', session, 'aa', 'ao')
    redis.call('ZREM', attention, user_id)
  end
end
note_seen(KEYS[1] .. 'seen', ARGV[5])
if ARGV[6] == '1' and redis.call('EXISTS', KEYS[1] .. 'throttle') == 1 then
  redis.call('DECR', KEYS[1] .. 'throttle')
end
return nil
`;

/** Sessions expire by themselves and the index does not: entries that no session knows are dropped on the way. */
export const dueScript = `
local attention, before_id, after_id = KEYS[1], ARGV[1], ARGV[2]
local found, offset = {}, 0
while #found < tonumber(ARGV[4]) do
  local batch = redis.call('ZRANGEBYSCORE', attention, '-inf', ARGV[3], 'LIMIT', offset, 100)
  if #batch == 0 then break end
  for _, user_id in ipairs(batch) do
    if redis.call('HEXISTS', before_id .. user_id .. after_id, 'aa') == 0 then
      redis.call('ZREM', attention, user_id)
    else
      offset = offset + 1
      if #found < tonumber(ARGV[4]) then found[#found + 1] = user_id end
    end
  end
end
return found
`;

export const postponeScript = `
local session, attention = KEYS[1] .. 'session', KEYS[2]
if redis.call('HGET', session, 'ao') ~= ARGV[3] then return 0 end
redis.call('HSET', session, 'aa', ARGV[2])
redis.call('ZADD', attention, ARGV[2], ARGV[1])
return 1
`;
