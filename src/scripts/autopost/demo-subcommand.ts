import { makeEndpoints } from '../../autopost/store/endpoints.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { channelPlatforms } from '../../platforms/platforms.ts';
import { demoBots, demoChannels, demoLimits, demoWorkspace } from '../../sandbox/demo-channels.ts';
import { setupSubcommands } from './setup-subcommands.ts';
import { defineSubcommand } from './subcommand.ts';

const addEndpoint = setupSubcommands.find(({ name }) => name === 'add-endpoint')!;

export const demoSubcommand = defineSubcommand({
  name: 'demo',
  summary: 'forty channels of a town to try with, in workspace "demo"; their bots live in the sandbox',
  changes: true,
  options: {},
  async run(context) {
    const { sql, sealing, by } = context;
    const { workspaceId, name } = demoWorkspace;
    const workspaces = makeWorkspaces(sql, sealing);
    await workspaces.save(workspaceId, name);
    for (const platform of channelPlatforms) {
      const { authRef, token } = demoBots[platform];
      await workspaces.saveCredential(workspaceId, authRef, platform, { token });
      await workspaces.saveLimit(workspaceId, platform, authRef, demoLimits[platform]);
    }
    for (const channel of demoChannels) {
      await workspaces.saveChannel(workspaceId, { ...channel, authRef: demoBots[channel.platform].authRef });
    }
    await makeOperators(sql).noteConfigured(workspaceId, null, { demo: demoChannels.length }, by);
    const made = `workspace ${workspaceId} "${name}": ${demoChannels.length} channels.`;
    const [open] = (await makeEndpoints(sql).list(workspaceId)).filter(({ enabled }) => enabled);
    if (open) {
      const entrance = `Its entrance ${open.endpointId} stays; rotate-endpoint gives it a new secret.`;
      return {
        text: `${made}\n${entrance}`,
        data: { workspaceId, channels: demoChannels.length, endpointId: open.endpointId },
      };
    }
    const endpoint = await addEndpoint.run(context, { workspace: workspaceId });
    return {
      text: `${made}\n\n${endpoint.text}`,
      data: { workspaceId, channels: demoChannels.length, ...(endpoint.data as object) },
    };
  },
});
