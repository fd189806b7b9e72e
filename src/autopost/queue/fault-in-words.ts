/** The faults that the database itself finds in a post, in words for its sender. */
const words: Readonly<Record<string, string>> = {
  'a media item has no source': 'У вложения нет адреса.',
  'caption is longer than 1024': 'Подпись длиннее 1024 символов.',
  'media type is unknown to MAX': 'Такие вложения MAX не принимает.',
  'media type is unknown to Telegram': 'Такие вложения Telegram не принимает.',
  'more than 10 media items': 'В альбоме Telegram не больше 10 вложений.',
  'nothing to send': 'В сообщении нет ни текста, ни вложений.',
  'parse mode is not HTML, Markdown or None': 'Неизвестный вид разметки.',
  'text is longer than 4000': 'Текст длиннее 4000 символов.',
  'text is longer than 4096': 'Текст длиннее 4096 символов.',
  'the channel takes media only': 'Канал принимает только посты с вложениями.',
  'the channel takes text only': 'Канал принимает только посты без вложений.',
  'these media do not go into one album': 'Такие вложения нельзя собрать в один альбом.',
};

/** An adapter's own words are meant for people already. */
export const faultInWords = (fault: string): string => words[fault] ?? fault;
