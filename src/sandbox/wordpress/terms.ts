import { slug as toSlug } from '../../services/content/slug.ts';
import { refusedFor } from './login.ts';
import type { Call } from './rest.ts';
import { can } from './roles.ts';
import { type Taxonomy, type Term, WpError } from './wire.ts';

export function listTerms({ site, query, taxonomy }: Call & { taxonomy: Taxonomy }) {
  const search = query.get('search')?.toLowerCase() ?? '';
  const perPage = Number(query.get('per_page') ?? 10);
  const page = Number(query.get('page') ?? 1);
  const include = query.get('include')?.split(',').map(Number);
  const all = site.terms
    .values()
    .filter((term) => term.taxonomy === taxonomy && term.name.toLowerCase().includes(search))
    .filter(({ id }) => !include || include.includes(id))
    .sort((a, b) => a.name.localeCompare(b.name));
  return {
    status: 200,
    body: all.slice((page - 1) * perPage, page * perPage).map((term) => shown(term)),
    headers: { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / perPage)) },
  };
}

/** Categories need the right to manage them; tags need the right to write. */
export function createTerm({ site, user, json, taxonomy }: Call & { taxonomy: Taxonomy }) {
  const right = taxonomy === 'categories' ? 'manage_categories' : 'edit_posts';
  if (!user || !can(user, right))
    throw refusedFor(
      user,
      'rest_cannot_create',
      'Sorry, you are not allowed to create terms in this taxonomy.',
    );
  const name = kept(String((json as { name?: unknown } | null)?.name ?? '').trim());
  if (name === '')
    throw new WpError(400, 'rest_missing_callback_param', 'Missing parameter(s): name', { params: ['name'] });
  const known = site.term(taxonomy, name);
  if (known)
    throw new WpError(400, 'term_exists', 'A term with the name provided already exists with this parent.', {
      term_id: known.id,
    });
  const term = { id: site.nextId(), taxonomy, name, slug: toSlug(name) };
  site.terms.put(term.id, term);
  return { status: 201, body: shown(term) };
}

const shown = ({ id, name, slug, taxonomy }: Term) => ({
  id,
  count: 0,
  name,
  slug,
  taxonomy: taxonomy === 'categories' ? 'category' : 'post_tag',
});

/** As HTML, and searched as such. */
const kept = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
