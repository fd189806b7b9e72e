import { ApiRefused } from '../../clients/http/api-refused.ts';
import { DeliveryFailed, type FailureReport } from '../../errors.ts';
import {
  type FailureRow,
  later,
  mayBeDone,
  ofChannel,
  ofDelivery,
  reportFrom,
  tooOften,
  transient,
} from '../failure-table.ts';

const reconnect = 'Подключите сообщество заново.';

/** VK's numbers of refusal. */
const rows: readonly FailureRow[] = [
  { word: /^6$/u, ...tooOften, retryAfterMs: 1_000 },
  {
    ...{ word: /^9$/u, ...transient, scope: 'channel', code: 'flood' },
    userMessage: 'VK просит сделать паузу: слишком много одинаковых действий. Попробуйте через час.',
  },
  {
    ...{ word: /^(?:14|3300)$/u, ...transient, scope: 'channel', code: 'captcha' },
    userMessage:
      'VK хочет убедиться, что вы не робот. Откройте VK в браузере, опубликуйте что-нибудь вручную и попробуйте ещё раз.',
  },
  {
    ...{ word: /^(?:1|10)$/u, ...transient, scope: 'platform' },
    userMessage: `VK сейчас не справляется с запросом. ${later}`,
  },
  {
    ...{ word: /^5$/u, ...ofChannel },
    userMessage: `VK не принимает этот ключ: его отозвали или он истёк. ${reconnect}`,
  },
  {
    ...{ word: /^(?:7|15|203)$/u, ...ofChannel },
    userMessage: `У ключа VK не хватает прав на это сообщество. Создайте ключ с правом «Стена» и подключите сообщество заново.`,
  },
  {
    ...{ word: /^(?:17|24)$/u, ...ofChannel },
    userMessage: `VK просит подтвердить вход: откройте VK под этим аккаунтом, подтвердите его и попробуйте снова.`,
  },
  {
    ...{ word: /^(?:27|28)$/u, ...ofChannel },
    userMessage: `Ключ этого вида VK сюда не пускает. ${reconnect}`,
  },
  {
    ...{ word: /^29$/u, ...transient, scope: 'channel', code: 'daily_limit' },
    userMessage: 'VK больше не принимает запросы на сегодня: исчерпан дневной предел. Попробуйте завтра.',
  },
  {
    ...{ word: /^(?:118|121|129)$/u, ...transient, scope: 'delivery' },
    userMessage: `Картинка потерялась по пути в VK. ${later}`,
  },
  {
    ...{ word: /^upload\.refused$/u, ...ofDelivery },
    userMessage: 'VK не принял картинку. Проверьте её вид и размер.',
  },
  {
    ...{ word: /^214$/u, ...ofDelivery },
    userMessage:
      'VK не дал опубликовать: нет права писать на стену, запись на это время уже стоит или на сегодня записей хватит.',
  },
  {
    ...{ word: /^(?:219|224)$/u, ...ofDelivery },
    userMessage: 'VK принял запись за рекламу и не опубликовал её. Смягчите текст и попробуйте снова.',
  },
  { word: /^220$/u, ...ofDelivery, userMessage: 'VK не принял запись: слишком много получателей.' },
  {
    ...{ word: /^222$/u, ...ofDelivery },
    userMessage: 'VK не разрешает ссылки в этой записи. Уберите ссылку и попробуйте снова.',
  },
  {
    ...{ word: /^(?:1051|3609|3610)$/u, ...ofChannel },
    userMessage:
      'Этот ключ VK не умеет публиковать: такие выдаёт вход через VK ID. Создайте ключ в настройках сообщества и подключите его.',
  },
  {
    ...{ word: /^125$/u, ...ofChannel, code: 'group_gone' },
    userMessage: 'VK не находит это сообщество: его удалили или закрыли. Подключите другое.',
  },
  { ...ofDelivery, userMessage: 'VK не принял эту запись. Измените текст или картинку.' },
];

/** Null: not a failure of VK. */
export const vkReport = (error: unknown): FailureReport | null => reportFrom('VK', rows, error);

/** The failure in our words where it is VK's; any other error as it is. */
export function asVkFailure(error: unknown): unknown {
  const report = vkReport(error);
  return report === null ? error : new DeliveryFailed(report, error);
}

/** An internal error of VK says nothing about how far the request came. */
export const vkMayBeDone = (error: unknown): boolean =>
  mayBeDone(error) || (error instanceof ApiRefused && /^(?:1|10)$/u.test(error.word ?? ''));
