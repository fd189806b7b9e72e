/** What this bot can do: as far as its owner has connected suppliers and switched features on. */
export type Abilities = {
  /** Models write, draw and talk. */
  writes: boolean;
  /** Pages of people's and of competitors' sites are read. */
  readsSites: boolean;
  /** It is known where pages stand in a search. */
  searches: boolean;
  /** There is a dialogue trainer. */
  trains: boolean;
};

/** What comes to nothing without them. Such routes are left out, and with them every button that leads there. */
export const needed: Readonly<Record<keyof Abilities, readonly string[]>> = {
  writes: [
    ...['article', 'social'].flatMap((kind) =>
      ['start', 'restart', 'project:{pid}', 'at:{cid}:{nid}', 'again:{cid}:{nid}'].map(
        (rest) => `pipeline:${kind}:${rest}`,
      ),
    ),
    'pipeline:restart',
    'pipeline:crosspost:{n}',
    'pipeline:social:{nid}:confirm',
    'category:{cid}:post',
    'category:{cid}:conn:{nid}:publish',
    'category:{cid}:platform:{plt}:publish',
    'publication:{n}:rewrite',
    'publication:{n}:refresh',
    'project:{pid}:refresh',
    'kw:{cid}:gen',
    'desc:{cid}:gen',
    'review:{cid}:new',
    'sched:{cid}:{nid}:preset:{code}',
    'sched:{cid}:{nid}:manual',
    'schedule:{sid}:on',
  ],
  readsSites: [
    'project:{pid}:competitor',
    'project:{pid}:voice_read',
    'project:{pid}:branding',
    'project:{pid}:branding_read',
  ],
  searches: ['project:{pid}:ranks'],
  trains: ['trainer:list'],
};

export const outOfReach = (abilities: Abilities): ReadonlySet<string> =>
  new Set(
    (Object.keys(needed) as (keyof Abilities)[]).flatMap((ability) =>
      abilities[ability] ? [] : needed[ability],
    ),
  );
