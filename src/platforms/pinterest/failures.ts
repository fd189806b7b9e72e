import { DeliveryFailed, type FailureReport } from '../../errors.ts';
import { type FailureRow, ofChannel, ofDelivery, reportFrom, tooOften } from '../failure-table.ts';

const rows: readonly FailureRow[] = [
  {
    ...{ status: 429, ...tooOften },
    userMessage: 'Pinterest просит подождать: слишком много запросов. Попробуйте через 15 минут.',
  },
  {
    ...{ status: 401, ...ofChannel, code: '401' },
    userMessage: 'Pinterest больше не пускает бота: доступ отозван или истёк. Подключите доску заново.',
  },
  {
    ...{ status: 403, word: /^29$/u, ...ofChannel, code: 'trial_app' },
    userMessage:
      'Pinterest пока не разрешает нашему приложению создавать пины: оно в пробном режиме. Напишите в поддержку, а пост отправьте на другую площадку.',
  },
  {
    ...{ status: 403, ...ofChannel },
    userMessage:
      'У бота нет права публиковать на этой доске. Подключите Pinterest заново и разрешите доступ.',
  },
  {
    ...{ status: 404, ...ofChannel, code: 'board_gone' },
    userMessage: 'Этой доски в Pinterest больше нет. Подключите другую.',
  },
  { ...ofDelivery, userMessage: 'Pinterest не принял этот пин. Измените текст или картинку.' },
];

/** Null: not a failure of Pinterest. */
export const pinterestReport = (error: unknown): FailureReport | null => reportFrom('Pinterest', rows, error);

/** The failure in our words where it is Pinterest's; any other error as it is. */
export function asPinterestFailure(error: unknown): unknown {
  const report = pinterestReport(error);
  return report === null ? error : new DeliveryFailed(report, error);
}
