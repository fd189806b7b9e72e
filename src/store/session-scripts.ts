import { SEEN_UPDATES_KEPT, SEEN_UPDATES_TTL_SECONDS, WAITER_TTL_MS } from '../engine/session-store.ts';

/**
 * The session store's scripts for Redis. A person's session is a hash: v revision, d session, sr and sm the shown
 * revision and message, a the attention: a line "part time owner" for each part that has an owner.
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
local user_id = string.match(KEYS[1], '}:(%-?%d+):$')
`;

/** The index holds the earliest time of all parts; without a part the person is not in it. */
const noteAttention = `
local function note_attention(session, index, user_id, lines)
  if lines == '' then
    if redis.call('HDEL', session, 'a') == 1 then redis.call('ZREM', index, user_id) end
    return
  end
  local earliest
  for at in string.gmatch(lines, '%S+ (%S+) %S+') do
    if not earliest or tonumber(at) < tonumber(earliest) then earliest = at end
  end
  redis.call('HSET', session, 'a', lines)
  redis.call('ZADD', index, earliest, user_id)
end
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
  if ARGV[6] == '' then
    redis.call('HSET', waiters, ticket, order .. ' ' .. string.format('%.0f', now))
    redis.call('PEXPIRE', waiters, 60000)
  end
  return {'wait'}
end

redis.call('SET', lock, ticket, 'PX', lease_ms)
if known then redis.call('HDEL', waiters, ticket) end
local outcome = 'held'
if update_id ~= '' then
  local seen_at = redis.call('ZSCORE', person .. 'seen', update_id)
  if seen_at and tonumber(seen_at) > now - ${SEEN_UPDATES_TTL_SECONDS * 1_000} then outcome = 'repeat' end
end
local record = redis.call('HMGET', session, 'v', 'd', 'sr', 'sm', 'a')
return {outcome, record[1], record[2], record[3], record[4], record[5]}
`;

/**
 * Nil: the revision is no longer the one that was read, or an earlier update waits for its turn. An expired session
 * counts as revision 0.
 */
export const saveScript = `
${noteSeen}
${noteAttention}
${userId}
local session, index = KEYS[1] .. 'session', KEYS[2]
local revision, data, update_id = ARGV[1], ARGV[2], ARGV[5]
local record = redis.call('HMGET', session, 'v', 'sr', 'sm')
if (record[1] or '0') ~= revision then return nil end
if update_id ~= '' then
  ${now}
  for _, waiter in ipairs(redis.call('HVALS', KEYS[1] .. 'waiters')) do
    local order, asked_at = string.match(waiter, '^(%S+) (%S+)$')
    if tonumber(order) < tonumber(update_id) and now - tonumber(asked_at) < ${WAITER_TTL_MS} then return nil end
  end
end

redis.call('HSET', session, 'v', string.format('%.0f', revision + 1), 'd', data)
note_attention(session, index, user_id, ARGV[3])
redis.call('PEXPIRE', session, ARGV[4])
note_seen(KEYS[1] .. 'seen', update_id)
return {record[2], record[3]}
`;

export const releaseScript = `
${noteSeen}
${noteAttention}
${userId}
local session, lock, index = KEYS[1] .. 'session', KEYS[1] .. 'lock', KEYS[2]
local token, revision = ARGV[1], ARGV[2]
local shown_revision, shown_message = string.match(ARGV[3], '^(%S+) (%S+)$')
if redis.call('GET', lock) == token then redis.call('DEL', lock) end

local record = redis.call('HMGET', session, 'v', 'sr')
if record[1] then
  if shown_revision and tonumber(shown_revision) >= tonumber(record[2] or '0') then
    redis.call('HSET', session, 'sr', shown_revision, 'sm', shown_message)
  end
  if record[1] == revision and ARGV[4] ~= 'keep' then note_attention(session, index, user_id, ARGV[4]) end
end
note_seen(KEYS[1] .. 'seen', ARGV[5])
if ARGV[6] == '1' and redis.call('EXISTS', KEYS[1] .. 'throttle') == 1 then
  redis.call('DECR', KEYS[1] .. 'throttle')
end
return nil
`;

/**
 * Hands out those of the given people who are still due, and marks them as handed out. Sessions expire by themselves
 * and the index does not: people whom no session knows are dropped on the way.
 */
export const claimScript = `
local index, before_id, after_id, due_until, claim_until = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local claimed = {}
for i = 5, #ARGV do
  local at = redis.call('ZSCORE', index, ARGV[i])
  if at and redis.call('HEXISTS', before_id .. ARGV[i] .. after_id, 'a') == 0 then
    redis.call('ZREM', index, ARGV[i])
  elseif at and tonumber(at) <= tonumber(due_until) then
    redis.call('ZADD', index, claim_until, ARGV[i])
    claimed[#claimed + 1] = ARGV[i]
  end
end
return claimed
`;

export const postponeScript = `
${noteAttention}
${userId}
local session, part, at, owner = KEYS[1] .. 'session', ARGV[1], ARGV[2], ARGV[3]
local lines, found = {}, false
for line in string.gmatch(redis.call('HGET', session, 'a') or '', '[^\\n]+') do
  local its_part, its_owner = string.match(line, '^(%S+) %S+ (%S+)$')
  if its_part == part and its_owner == owner then
    line, found = part .. ' ' .. at .. ' ' .. owner, true
  end
  lines[#lines + 1] = line
end
if not found then return 0 end
note_attention(session, KEYS[2], user_id, table.concat(lines, '\\n'))
return 1
`;
