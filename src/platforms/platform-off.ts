import { AppError } from '../errors.ts';
import { platformTitle } from './platforms.ts';

/** Connected while the bot had keys for this platform; now it has none, and the person cannot change that. */
export class PlatformOff extends AppError {
  readonly code = 'PLATFORM_OFF';
  readonly userMessage: string;
  constructor(platform: string) {
    super(`no settings for ${platform}`);
    this.userMessage = `${platformTitle(platform)} в этом боте сейчас выключен. Выберите другую площадку или напишите в поддержку.`;
  }
}
