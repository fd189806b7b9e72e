import { lines, type RichText, rich } from './screen.ts';

/** How WordPress issues the password that a program may use. */
export const passwordSteps = (profilePage: string): RichText =>
  lines(
    rich`Как получить пароль приложения:`,
    rich`1. Откройте профиль в админке: ${profilePage}`,
    rich`2. Внизу страницы найдите «Пароли приложений». Если раздела нет, его отключил хостинг или плагин защиты, либо сайт открывается без https.`,
    rich`3. В поле «Название» впишите SEO Master и нажмите «Добавить новый пароль приложения».`,
    rich`4. Скопируйте показанный пароль целиком: второй раз WordPress его не покажет.`,
    rich`Пользователю нужна роль «Автор», «Редактор» или «Администратор», иначе публиковать он не сможет.`,
  );
