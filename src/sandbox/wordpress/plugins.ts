import { setTimeout as sleep } from 'node:timers/promises';
import { refusedFor } from './login.ts';
import type { Call } from './rest.ts';
import { can } from './roles.ts';
import { type Plugin, type User, WpError } from './wire.ts';

/** The part of wordpress.org's directory that a stand-in needs: slug to folder, file and name. */
const DIRECTORY: Readonly<Record<string, { plugin: string; name: string }>> = {
  'wp-seopress': { plugin: 'wp-seopress/seopress', name: 'SEOPress' },
};

export function listPlugins({ site, user, query }: Call) {
  if (!user || !can(user, 'activate_plugins'))
    throw refusedFor(
      user,
      'rest_cannot_view_plugins',
      'Sorry, you are not allowed to manage plugins for this site.',
    );
  const search = query.get('search')?.toLowerCase() ?? '';
  const found = site.plugins.values().filter(({ name }) => name.toLowerCase().includes(search));
  return { status: 200, body: found };
}

/** In WordPress's order: rights, the filesystem, the directory, what is there already. */
export async function installPlugin({ site, user, json }: Call) {
  const { plugins, installMs } = site.settings;
  mustInstall(user, plugins);
  const { slug, status = 'inactive' } = (json ?? {}) as { slug?: unknown; status?: Plugin['status'] };
  if (typeof slug !== 'string')
    throw new WpError(400, 'rest_missing_callback_param', 'Missing parameter(s): slug', { params: ['slug'] });
  if (plugins === 'unwritable')
    throw new WpError(500, 'fs_unavailable', 'The filesystem is currently unavailable for managing plugins.');
  await sleep(installMs);
  if (plugins === 'unreachable')
    throw new WpError(
      500,
      'plugins_api_failed',
      'An unexpected error occurred. Something may be wrong with WordPress.org or this server’s configuration.',
    );
  const known = DIRECTORY[slug];
  if (!known) throw new WpError(404, 'plugins_api_failed', 'Plugin not found.');
  if (plugins === 'incompatible')
    throw new WpError(500, 'incompatible_php_required_version', 'The package could not be installed.');
  if (site.plugins.get(known.plugin))
    throw new WpError(500, 'folder_exists', 'Destination folder already exists.');
  const installed: Plugin = { ...known, status };
  site.plugins.put(known.plugin, installed);
  return { status: 201, body: installed };
}

export function activatePlugin({ site, user, json, route }: Call & { route: string }) {
  mustInstall(user, site.settings.plugins);
  const name = route.replace(/^wp\/v2\/plugins\//u, '');
  const known = site.plugins.get(name);
  if (!known) throw new WpError(404, 'rest_plugin_not_found', 'Plugin not found.');
  const { status = known.status } = (json ?? {}) as { status?: Plugin['status'] };
  const changed: Plugin = { ...known, status };
  site.plugins.put(name, changed);
  return { status: 200, body: changed };
}

function mustInstall(user: User | null, plugins: string): void {
  if (user && can(user, 'install_plugins') && plugins !== 'forbidden') return;
  throw refusedFor(
    user,
    'rest_cannot_install_plugin',
    'Sorry, you are not allowed to install plugins on this site.',
  );
}
