/**
 * The same project wizard as a grammY bot is usually written: a session in Redis, read before and written after
 * each update, and a switch over the step. It shows people the same: an answered question loses its buttons. No lock,
 * no order, no dedupe, no compare-and-set, no recovery.
 */
import { createServer } from 'node:http';
import { Bot, type Context, InlineKeyboard, webhookCallback } from 'grammy';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import { fitsProjectField, type ProjectField, tidy } from '../../machines/project-fields.ts';

type Answers = { name?: string; company?: string; specialization?: string };
type Session = {
  step: 'idle' | 'name' | 'company' | 'specialization' | 'website';
  answers: Answers;
  /** The message with the question that is open: its buttons go when it is answered. */
  asked?: number;
};
type BotContext = Context & { session: Session };

const SESSION_TTL_SECONDS = 86_400;
const { PORT, REDIS_URL, DATABASE_URL, TELEGRAM_API_ROOT, TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET } =
  process.env as Record<string, string>;

const redis = new Redis(REDIS_URL!);
const sql = postgres(DATABASE_URL!, { max: 10, onnotice: () => {} });
const bot = new Bot<BotContext>(TELEGRAM_BOT_TOKEN!, { client: { apiRoot: TELEGRAM_API_ROOT! } });

const html = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;
const ways = () => new InlineKeyboard().text('Прервать', 'pc:pause').text('Отмена', 'fsm:cancel');
const skipAndWays = () =>
  new InlineKeyboard()
    .text('Пропустить', 'pc:skip')
    .row()
    .text('Прервать', 'pc:pause')
    .text('Отмена', 'fsm:cancel');
const questions = {
  name: '<b>Новый проект (1/4)</b>\n\nКак назовём проект? Проект — это один бизнес: сайт, магазин или канал.\n<i>Например: Цветы на Ленина</i>',
  company:
    '<b>Новый проект (2/4)</b>\n\nКак называется компания? Это имя появится в статьях.\n<i>Например: ООО «Ромашка»</i>',
  specialization:
    '<b>Новый проект (3/4)</b>\n\nЧем занимается компания? По этому описанию подбираются темы и тон.\n<i>Например: Доставка букетов и оформление свадеб</i>',
  website:
    '<b>Новый проект (4/4)</b>\n\nАдрес сайта? Если сайта нет, шаг можно пропустить.\n<i>Например: https://romashka.ru</i>',
};

bot.use(async (ctx, next) => {
  const key = `session:${ctx.from?.id}`;
  const stored = await redis.get(key);
  ctx.session = stored ? (JSON.parse(stored) as Session) : { step: 'idle', answers: {} };
  await next();
  await redis.set(key, JSON.stringify(ctx.session), 'EX', SESSION_TTL_SECONDS);
});

bot.command('start', async (ctx) => {
  const { id, username, first_name, last_name } = ctx.from!;
  await sql`
    insert into users (id, username, first_name, last_name)
    values (${id}, ${username ?? null}, ${first_name}, ${last_name ?? null})
    on conflict (id) do update set username = excluded.username, last_activity = now()`;
  ctx.session = { step: 'idle', answers: {} };
  await ctx.reply('<b>Главное меню</b>', {
    ...html,
    reply_markup: new InlineKeyboard().text('Создать проект', 'project:create'),
  });
});

bot.callbackQuery('project:create', async (ctx) => {
  await ctx.answerCallbackQuery();
  ctx.session = { step: 'name', answers: {}, asked: ctx.msg!.message_id };
  await ctx.editMessageText(questions.name, { ...html, reply_markup: ways() });
});

bot.callbackQuery('pc:skip', async (ctx) => {
  await ctx.answerCallbackQuery();
  if (ctx.session.step !== 'website') return;
  const { text, keyboard } = await createProject(ctx, null);
  await ctx.editMessageText(text, { ...html, reply_markup: keyboard });
});

bot.on('message:text', async (ctx) => {
  const { session } = ctx;
  if (session.asked) await ctx.api.editMessageReplyMarkup(ctx.chat.id, session.asked);
  const { text } = ctx.message;
  switch (session.step) {
    case 'name':
      if (!fits('name', text)) return complain(ctx, 'Введите название от 2 до 100 символов');
      session.answers.name = tidy(text);
      session.step = 'company';
      await ask(ctx, questions.company, ways());
      return;
    case 'company':
      if (!fits('company_name', text)) return complain(ctx, 'Введите название от 2 до 200 символов');
      session.answers.company = tidy(text);
      session.step = 'specialization';
      await ask(ctx, questions.specialization, ways());
      return;
    case 'specialization':
      if (!fits('specialization', text)) return complain(ctx, 'Опишите подробнее (мин. 5 символов)');
      session.answers.specialization = tidy(text);
      session.step = 'website';
      await ask(ctx, questions.website, skipAndWays());
      return;
    case 'website': {
      if (!fits('website_url', text)) return complain(ctx, 'Введите корректный URL или нажмите Пропустить');
      const created = await createProject(ctx, tidy(text));
      await ctx.reply(created.text, { ...html, reply_markup: created.keyboard });
      return;
    }
    default:
      await ctx.reply('Не понял вас.');
  }
});

const fits = (field: ProjectField, text: string): boolean => fitsProjectField(field, text);

async function ask(ctx: BotContext, question: string, keyboard: InlineKeyboard): Promise<void> {
  const { message_id } = await ctx.reply(question, { ...html, reply_markup: keyboard });
  ctx.session.asked = message_id;
}

async function complain(ctx: BotContext, complaint: string): Promise<void> {
  await ctx.reply(complaint, { ...html, reply_markup: ways() });
}

async function createProject(ctx: BotContext, website: string | null) {
  const { name, company, specialization } = ctx.session.answers;
  const [row] = await sql<[{ id: number }]>`
    insert into projects (user_id, name, company_name, specialization, website_url)
    values (${ctx.from!.id}, ${name!}, ${company!}, ${specialization!}, ${website}) returning id`;
  ctx.session = { step: 'idle', answers: {} };
  const text = `Проект <b>${escapeHtml(name!)}</b> создан.\n\nДальше — тема, о которой писать, и площадка для публикаций. Ещё 11 полей о компании сделают тексты точнее: их можно заполнить позже в разделе «Данные».`;
  const keyboard = new InlineKeyboard()
    .text('Создать категорию', `project:${row.id}:cat_new`)
    .row()
    .text('К проекту', `project:${row.id}:card`)
    .row()
    .text('Меню', 'nav:dashboard');
  return { text, keyboard };
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

await bot.init();
const handle = webhookCallback(bot, 'http', { secretToken: TELEGRAM_WEBHOOK_SECRET! });
createServer((request, response) => {
  if (request.url === '/webhook') return void handle(request, response);
  response.writeHead(request.url === '/api/health' ? 200 : 404).end();
}).listen(Number(PORT));
