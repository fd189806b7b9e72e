import { type Link, to } from './link.ts';
import { button, type RichText, rich } from './screen.ts';

export const menuButton = button('Меню', to('nav:dashboard'));

export const cancelButton = (back: Link) => button('Отмена', back);

/** What the bot says on its own account, in any flow and outside of all. */
export const notices = {
  expired: rich`Сессия истекла. Начните заново`,
  ended: rich`Бот обновился, и прежний диалог завершён. Начните заново`,
  conflict: (oldTitle: string, newTitle: string): RichText =>
    rich`Предыдущий процесс (${oldTitle}) прерван. Начинаем ${newTitle}.`,
  interrupted: (title: string): RichText => rich`Прервано: ${title}.`,
  resumed: (title: string): RichText => rich`Продолжаем с того же места: ${title}.`,
  goesOn: (title: string): RichText => rich`Работа продолжается: ${title}. Результат придёт сюда.`,
  inProgress: (titleGenitive: string): RichText =>
    rich`Вы в процессе ${titleGenitive}. Отправьте /cancel для отмены`,
  textWanted: rich`Пожалуйста, отправьте текстовое сообщение`,
  textCut: rich`Telegram разделил ваш текст на два сообщения, и я прочитал только первое. Если нужно всё, вернитесь к этому шагу и отправьте текст короче 4 000 знаков; длинный список — файлом.`,
  secretWanted: rich`Пожалуйста, отправьте текстовое сообщение. Всё остальное на этом шаге я удаляю из чата: там может быть виден пароль.`,
  straySecret: rich`Похоже, вы прислали пароль или токен. Я удалил это сообщение из чата и никуда его не записал: на этом шаге он не нужен.`,
  photoWanted: rich`Пожалуйста, отправьте фотографию`,
  fileWanted: rich`Пожалуйста, отправьте файл`,
  textOrFileWanted: rich`Пожалуйста, отправьте файл или текстовое сообщение`,
  buttonWanted: rich`Пожалуйста, выберите вариант кнопкой под сообщением`,
  alreadyRunning: rich`Уже выполняется, подождите немного`,
  tooFast: rich`Слишком много сообщений за минуту: последние я не прочитал. Подождите минуту и отправьте ещё раз.`,
  cancelled: rich`Отменено.`,
  keysBack: rich`Кнопки под полем ввода снова обычные.`,
  nothingToCancel: rich`Отменять нечего: вы в меню.`,
  hint: rich`Не понял вас. Выберите действие кнопкой или отправьте /help.`,
  unknownCommand: rich`Такой команды нет. Что умеет бот, расскажет /help.`,
};

export const toasts = {
  stale: 'Эта кнопка уже не действует',
  alreadyRunning: 'Уже выполняется',
  changed: 'С тех пор кое-что изменилось, посмотрите ещё раз',
  tooFast: 'Слишком быстро: подождите минуту и нажмите ещё раз',
  notFound: 'Не найдено: возможно, уже удалено',
};

/** For the payment window, which takes plain text alone. */
export const checkoutFailed = 'Не получилось проверить заказ. Деньги не списаны, попробуйте ещё раз.';
export const paymentsOff = 'Оплата сейчас недоступна. Деньги не списаны.';

export const apology = rich`Произошла ошибка. Попробуйте позже.`;
export const attachmentRefused = rich`Telegram не принял то, что должно было прийти вместе с этим сообщением. Мы увидим ошибку и разберёмся.`;
/** A store is away for longer than a restart takes. What the person did is kept by the messenger and applied later. */
export const outage = rich`Сейчас не получается ответить: неполадки на нашей стороне. Повторять ничего не нужно: как только всё заработает, бот ответит на то, что вы уже отправили.`;
export const retryLabel = 'Повторить';
