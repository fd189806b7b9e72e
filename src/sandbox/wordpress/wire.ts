export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';
export type User = { id: number; login: string; name: string; email: string; role: Role };

export type Taxonomy = 'categories' | 'tags';
/** Its name is HTML. */
export type Term = { id: number; taxonomy: Taxonomy; name: string; slug: string };

export type Media = {
  id: number;
  author: number;
  slug: string;
  title: string;
  alt: string;
  caption: string;
  mime: string;
  /** Below `wp-content/uploads`. */
  file: string;
  width: number;
  height: number;
  madeAt: string;
};

export type Post = {
  id: number;
  author: number;
  status: string;
  slug: string;
  title: string;
  content: string;
  excerpt: string;
  featuredMedia: number;
  categories: number[];
  tags: number[];
  meta: Record<string, unknown>;
  madeAt: string;
};

/** Named by its folder and file. */
export type Plugin = { plugin: string; name: string; status: 'active' | 'inactive' };

/** What its owner, plugins and host have made of a site. */
export type SiteSettings = {
  title: string;
  /** Those that are not posts of the blog. */
  pages: readonly { slug: string; title: string; text: string }[];
  /** `rankmath-new`: installed, and its wizard not done yet: it keeps fields and prints nothing. */
  seo: 'none' | 'yoast' | 'yoast-old' | 'rankmath' | 'rankmath-new' | 'seopress';
  /** The theme prints the excerpt of a post as its description. */
  themeDescribes: boolean;
  /** What becomes of an installation: done, forbidden in wp-config.php, no way to write files, no way to wordpress.org. */
  plugins: 'installed' | 'forbidden' | 'unwritable' | 'unreachable' | 'incompatible';
  installMs: number;
  /** `members`: a plugin shows the API to those who logged in; `html`: a page comes in its place. */
  rest: 'on' | 'off' | 'members' | 'html';
  /** Addresses of posts: by name, by number in the query, by number in the path, by name as a file. */
  permalinks: 'pretty' | 'plain' | 'numbered' | 'html';
  applicationPasswords: boolean;
  /** Many hosts drop the header before PHP sees it. */
  authorization: 'kept' | 'stripped';
  /** What becomes of a wrong password: named, or, in newer versions, the person is simply a stranger. */
  wrongPassword: 'named' | 'ignored';
  /** Off: scripts are removed for every role. */
  unfilteredHtml: boolean;
  /** Fields that no plugin has registered. */
  unknownMeta: 'dropped' | 'refused';
  mostUploadBytes: number;
  /** Files that its owner has put beside wp-config.php, by name. */
  rootFiles: Readonly<Record<string, string>>;
  uploadMs: number;
};

/** A refusal in WordPress's own form. */
export class WpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly data: object;
  constructor(status: number, code: string, message: string, data: object = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
  body() {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.data } };
  }
}
