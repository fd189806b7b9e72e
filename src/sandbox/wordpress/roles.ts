import type { Role, SiteSettings, User } from './wire.ts';

type Capability =
  | 'read'
  | 'edit_posts'
  | 'publish_posts'
  | 'upload_files'
  | 'edit_others_posts'
  | 'manage_categories'
  | 'unfiltered_html'
  | 'manage_options'
  | 'install_plugins'
  | 'activate_plugins';

const contributor: Capability[] = ['read', 'edit_posts'];
const author: Capability[] = [...contributor, 'publish_posts', 'upload_files'];
const editor: Capability[] = [...author, 'edit_others_posts', 'manage_categories', 'unfiltered_html'];

const granted: Readonly<Record<Role, readonly Capability[]>> = {
  subscriber: ['read'],
  contributor,
  author,
  editor,
  administrator: [...editor, 'manage_options', 'install_plugins', 'activate_plugins'],
};

/** As `users/me` lists them: what the role says, even where the site forbids it. */
export const capabilitiesOf = ({ role }: User): Record<string, true> =>
  Object.fromEntries([...granted[role], role].map((name) => [name, true]));

export const can = ({ role }: User, capability: Capability): boolean => granted[role].includes(capability);

export const mayWriteScripts = (user: User, { unfilteredHtml }: SiteSettings): boolean =>
  unfilteredHtml && can(user, 'unfiltered_html');
