import { AppError } from '../../errors.ts';

/** Before a post is written for it. What was charged comes back; there is no draft that could wait. */
export class ChannelDisconnected extends AppError {
  readonly code = 'CONNECTION_GONE';
  readonly userMessage =
    'Подключение канала удалено, поэтому пост не написан. Подключите канал снова или выберите другой.';
}
