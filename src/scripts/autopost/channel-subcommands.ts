import { type ChannelLine, makeListChannels } from '../../autopost/store/channel-list.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { knownWorkspace, someChannels } from './known.ts';
import {
  BadArguments,
  channel,
  defineSubcommand,
  minutes,
  NothingFound,
  option,
  platform,
  rate,
  text,
  workspace,
} from './subcommand.ts';
import { minuteOf, textTable } from './text-table.ts';

const group = option('name', 'the channels that share a limit; usually one bot', text);

export const channelSubcommands = [
  defineSubcommand({
    name: 'channels',
    summary: 'the channels of a workspace and how they are',
    options: { workspace },
    async run({ sql }, { workspace: id }) {
      await knownWorkspace(sql, id);
      const channels = await makeListChannels(sql)(id);
      const table = textTable(
        channels,
        [
          ['channel', ({ channelId }) => channelId],
          ['platform', (one) => one.platform],
          ['target', ({ targetId }) => targetId],
          ['group', ({ rateGroup }) => rateGroup],
          ['rate', ({ rateRps }) => (rateRps ? `${rateRps}/s` : 'no limit')],
          ['state', stateOf],
          ['waiting', ({ waiting }) => waiting],
          ['unknown', ({ unknown }) => unknown],
          ['last send', ({ lastSendAt }) => lastSendAt],
          ['title', ({ title }) => title],
        ],
        'no channels',
      );
      return { text: table, data: channels };
    },
  }),

  defineSubcommand({
    name: 'pause',
    summary: 'put a channel into quarantine for a while',
    changes: true,
    options: { workspace, channel, minutes: option('60', 'for so long', minutes.default(60)) },
    async run({ sql, by }, { workspace: id, channel: channelId, minutes: length }) {
      const paused = await makeOperators(sql).pauseChannel(id, channelId, length * 60_000, by);
      someChannels(paused, `channel "${channelId}" in workspace "${id}"`);
      return { text: `${channelId} is paused for ${length} minutes.`, data: { paused } };
    },
  }),

  defineSubcommand({
    name: 'resume',
    summary: 'switch a channel on, out of any pause, its failures forgotten',
    changes: true,
    options: { workspace, channel },
    async run({ sql, by }, { workspace: id, channel: channelId }) {
      const resumed = await makeOperators(sql).resumeChannel(id, channelId, by);
      someChannels(resumed, `channel "${channelId}" in workspace "${id}"`);
      return { text: `${channelId} is on.`, data: { resumed } };
    },
  }),

  defineSubcommand({
    name: 'disable',
    summary: 'switch a channel off until it is resumed: it takes no new posts, and what waits stays',
    changes: true,
    options: { workspace, channel },
    async run({ sql, by }, { workspace: id, channel: channelId }) {
      const disabled = await makeOperators(sql).disableChannel(id, channelId, by);
      someChannels(disabled, `channel "${channelId}" in workspace "${id}"`);
      return { text: `${channelId} is off.`, data: { disabled } };
    },
  }),

  defineSubcommand({
    name: 'disable-group',
    summary: 'switch all channels of a group off',
    changes: true,
    options: { workspace, group },
    async run({ sql, by }, { workspace: id, group: rateGroup }) {
      const disabled = await makeOperators(sql).disableGroup(id, rateGroup, by);
      someChannels(disabled, `channels of group "${rateGroup}" in workspace "${id}"`);
      return { text: `off: ${disabled.join(', ')}`, data: { disabled } };
    },
  }),

  defineSubcommand({
    name: 'enable-group',
    summary: 'switch all channels of a group on, their failures forgotten',
    changes: true,
    options: { workspace, group },
    async run({ sql, by }, { workspace: id, group: rateGroup }) {
      const enabled = await makeOperators(sql).enableGroup(id, rateGroup, by);
      someChannels(enabled, `channels of group "${rateGroup}" in workspace "${id}"`);
      return { text: `on: ${enabled.join(', ')}`, data: { enabled } };
    },
  }),

  defineSubcommand({
    name: 'resume-group',
    summary: "end a group's wait, asked for by its platform or by an outage: everything of it goes at once",
    changes: true,
    options: {
      workspace,
      group,
      platform: option('telegram|max', 'where the group has channels on both', platform.optional()),
    },
    async run({ sql, by }, { workspace: id, group: rateGroup, platform: given }) {
      await knownWorkspace(sql, id);
      const resumed = await makeOperators(sql).resumeGroup(id, rateGroup, given ?? null, by);
      if (resumed.length === 0)
        throw new NothingFound(`Group "${rateGroup}" of workspace "${id}" does not wait.`);
      return { text: `${rateGroup} on ${resumed.join(', ')} goes on.`, data: { rateGroup, resumed } };
    },
  }),

  defineSubcommand({
    name: 'rotate-auth',
    summary: 'switch a channel to other credentials while nothing of it is being sent',
    changes: true,
    options: {
      workspace,
      channel,
      auth: option('ref', 'the credentials to use from now on', text),
      token: option('…', 'the token to keep under them; - reads it from the input', text.optional()),
      group: option('name', 'the group to move to', text.optional()),
    },
    async run({ sql, sealing, by }, { workspace: id, channel: channelId, auth, token, group: rateGroup }) {
      const found = (await makeListChannels(sql)(id)).find((one) => one.channelId === channelId);
      if (!found) throw new NothingFound(`No channel "${channelId}" in workspace "${id}".`);
      const workspaces = makeWorkspaces(sql, sealing);
      if (token !== undefined) await workspaces.saveCredential(id, auth, found.platform, { token });
      else if ((await workspaces.credential(id, auth, found.platform)) === null) {
        throw new NothingFound(`No credentials "${auth}" for ${found.platform}: give their --token.`);
      }
      const to = { authRef: auth, rateGroup: rateGroup ?? null };
      const outcome = await makeOperators(sql).rotateAuth(id, channelId, to, by);
      const told = rotationTexts[outcome](channelId, auth);
      if (outcome === 'not_found') throw new NothingFound(told);
      return { text: told, data: { channelId, outcome }, ...(outcome === 'busy' && { exitCode: 3 }) };
    },
  }),

  defineSubcommand({
    name: 'limit',
    summary: 'how many posts a second a whole group may send; 0 for no limit',
    changes: true,
    options: {
      workspace,
      group,
      rps: option('30', 'posts a second', rate),
      platform: option('telegram|max', 'where the group has channels on both', platform.optional()),
    },
    async run({ sql, sealing, by }, { workspace: id, group: rateGroup, rps, platform: given }) {
      await knownWorkspace(sql, id);
      const channels = (await makeListChannels(sql)(id)).filter((one) => one.rateGroup === rateGroup);
      const [first, ...others] = new Set(given ? [given] : channels.map((one) => one.platform));
      if (!first) throw new NothingFound(`No channels of group "${rateGroup}" in workspace "${id}".`);
      if (others.length > 0)
        throw new BadArguments('The group has channels on both platforms: name one with --platform.');
      await makeWorkspaces(sql, sealing).saveLimit(id, first, rateGroup, rps);
      await makeOperators(sql).noteConfigured(
        id,
        null,
        { limit: rps, rate_group: rateGroup, platform: first },
        by,
      );
      const told = rps === 0 ? 'no limit' : `${rps} posts a second`;
      return {
        text: `${rateGroup} on ${first}: ${told}.`,
        data: { platform: first, rateGroup, rateRps: rps },
      };
    },
  }),
];

function stateOf({ hold, pausedUntil, groupWaitsUntil, opensAt, errorStreak }: ChannelLine): string {
  switch (hold) {
    case 'workspace':
      return 'its workspace is paused or disabled';
    case 'off':
      return `off${errorStreak > 0 ? `, ${errorStreak} failures` : ''}`;
    case 'paused':
      return `paused until ${minuteOf(pausedUntil!)}`;
    case 'group':
      return `its group waits until ${minuteOf(groupWaitsUntil!)}`;
    default:
      return opensAt ? `on, opens at ${minuteOf(opensAt)}` : 'on';
  }
}

const rotationTexts: Readonly<
  Record<'rotated' | 'busy' | 'not_found', (channel: string, auth: string) => string>
> = {
  rotated: (channelId, auth) => `${channelId} uses ${auth} from now on.`,
  busy: (channelId) => `${channelId} is sending: paused for two minutes, say it again then.`,
  not_found: (channelId) => `${channelId} is not there.`,
};
