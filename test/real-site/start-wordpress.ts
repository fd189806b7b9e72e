import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../crash/free-port.ts';

const SOURCE = process.env.WORDPRESS_DIR ?? '/usr/share/wordpress';
const LANGUAGES = '/var/lib/wordpress/wp-content/languages';
const MARIADB = '/usr/sbin/mariadbd';

/** The programs that are missing on this machine, empty when a real WordPress can be started. */
export const missingPrograms = (): string[] =>
  [
    existsSync(join(SOURCE, 'wp-settings.php')) ? null : `WordPress in ${SOURCE}`,
    existsSync(MARIADB) ? null : 'mariadbd',
    existsSync('/usr/bin/php') ? null : 'php',
  ].filter((name) => name !== null);

export type RealWordPress = Awaited<ReturnType<typeof startWordPress>>;

/**
 * A WordPress of the distribution on loopback, with a database of its own, both in a folder that goes when it is closed.
 * It has what a small site has: pages, posts, a Russian interface, readable addresses. `describes` is what an SEO plugin
 * does for the head of a page: it prints the excerpt as the description.
 */
export async function startWordPress({ theme = 'twentytwentythree', describes = true } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'real-wordpress-'));
  const children: ChildProcess[] = [];
  const socket = join(home, 'db.sock');
  const site = join(home, 'site');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  try {
    await startDatabase();
    layOut();
    const installed = php(INSTALL);
    children.push(
      spawn('php', ['-S', `127.0.0.1:${port}`, '-t', site, join(home, 'router.php')], {
        stdio: 'ignore',
        env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' },
      }),
    );
    await until(async () => (await fetch(`${url}/wp-json/`)).ok, 'WordPress');
    const { version, password } = JSON.parse(installed) as { version: string; password: string };
    return { url, version, login: 'anna', password, use, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function startDatabase(): Promise<void> {
    const data = join(home, 'db');
    mkdirSync(data);
    const asUser = userInfo().uid === 0 ? ['--user=mysql'] : [];
    if (asUser.length > 0) execFileSync('chown', ['mysql', data, home]);
    execFileSync(
      'mariadb-install-db',
      ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...asUser],
      { stdio: 'ignore' },
    );
    children.push(
      spawn(
        MARIADB,
        [
          '--no-defaults',
          `--datadir=${data}`,
          `--socket=${socket}`,
          `--pid-file=${join(home, 'db.pid')}`,
          '--skip-networking',
          ...asUser,
        ],
        { stdio: 'ignore' },
      ),
    );
    const ask = (sql: string) => execFileSync('mariadb', ['-uroot', `-S${socket}`, '-e', sql]);
    await until(async () => ask('select 1').length > 0, 'MariaDB');
    ask("create database wp character set utf8mb4; create user wp@localhost identified by 'wp'");
    ask('grant all on wp.* to wp@localhost');
  }

  function layOut(): void {
    cpSync(SOURCE, site, {
      recursive: true,
      dereference: true,
      filter: (path) => !path.endsWith('.htaccess'),
    });
    const content = join(site, 'wp-content');
    if (existsSync(LANGUAGES))
      cpSync(LANGUAGES, join(content, 'languages'), {
        recursive: true,
        dereference: true,
        filter: (path) => realpathSync(path) === realpathSync(LANGUAGES) || path.includes('ru_RU'),
      });
    for (const folder of ['uploads', 'mu-plugins']) mkdirSync(join(content, folder), { recursive: true });
    if (describes) writeFileSync(join(content, 'mu-plugins', 'describe.php'), DESCRIBE);
    writeFileSync(join(site, 'wp-config.php'), configOf(socket, url));
    writeFileSync(join(home, 'router.php'), ROUTER);
  }

  function php(script: string): string {
    const file = join(home, 'run.php');
    writeFileSync(file, script);
    return execFileSync('php', ['-d', 'display_errors=stderr', file, site, theme], {
      encoding: 'utf8',
      env: { ...process.env, SITE_URL: url },
    });
  }

  /** Another theme from now on. */
  function use(name: string): void {
    php(`<?php require $argv[1] . '/wp-load.php'; switch_theme('${name}');`);
  }

  async function close(): Promise<void> {
    for (const child of children.reverse()) {
      child.kill();
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(home, { recursive: true, force: true });
  }
}

async function until(works: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await works().catch(() => false)) return;
    await sleep(200);
  }
  throw new Error(`${what} did not answer within a minute`);
}

const configOf = (socket: string, url: string): string => `<?php
define('DB_NAME', 'wp'); define('DB_USER', 'wp'); define('DB_PASSWORD', 'wp'); define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '${url}'); define('WP_SITEURL', '${url}');
define('WP_ENVIRONMENT_TYPE', 'local'); // application passwords without https
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
define('AUTH_KEY', 'a'); define('SECURE_AUTH_KEY', 'b'); define('LOGGED_IN_KEY', 'c'); define('NONCE_KEY', 'd');
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** PHP's own server serves files as they are, and everything else is WordPress's. */
const ROUTER = `<?php
$path = urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if ($path !== '/' && is_file($_SERVER['DOCUMENT_ROOT'] . $path)) return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`;

const DESCRIBE = `<?php
add_action('wp_head', function () {
  $text = is_singular() ? wp_strip_all_tags(get_the_excerpt(get_queried_object_id())) : get_bloginfo('description');
  if ($text !== '') echo '<meta name="description" content="' . esc_attr($text) . '">' . "\\n";
});
`;

const INSTALL = `<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url(getenv('SITE_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('SITE_URL'), PHP_URL_PORT);
$_SERVER['REQUEST_URI'] = '/';
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Кухни Плюс', 'anna', 'anna@example.ru', true, '', 'secret', 'ru_RU');
update_option('permalink_structure', '/%postname%/');
update_option('blogdescription', 'Мебель на заказ в Казани');
update_option('WPLANG', 'ru_RU');
switch_theme($argv[2]);
$pages = ['Цены на кухни' => 'ceny', 'Контакты' => 'kontakty', 'Доставка и сборка' => 'dostavka'];
foreach ($pages as $title => $slug)
  wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_name' => $slug,
    'post_content' => '<p>' . $title . ': подробности по телефону.</p>']);
$posts = ['Как выбрать столешницу для кухни' => 'stoleshnica', 'Фасады для кухни: плёнка или эмаль' => 'fasady',
  'Сколько стоит кухня на заказ' => 'skolko-stoit', 'Угловая кухня: удачные планировки' => 'uglovaya'];
foreach ($posts as $title => $slug)
  wp_insert_post(['post_status' => 'publish', 'post_title' => $title, 'post_name' => $slug, 'post_author' => 1,
    'post_content' => '<p>' . $title . '. Рассказываем на примерах.</p>']);
wp_insert_post(['post_status' => 'draft', 'post_title' => 'Черновик о кухнях', 'post_name' => 'chernovik']);
flush_rewrite_rules();
[$password] = WP_Application_Passwords::create_new_application_password(1, ['name' => 'SEO Master']);
echo json_encode(['version' => $GLOBALS['wp_version'], 'password' => $password]);
`;
