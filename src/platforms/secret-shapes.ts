/**
 * What credentials of the platforms look like: someone who pastes one at a step that asks for something else should
 * not have it standing in the chat.
 */
const shapes = [
  // A token of a Telegram bot.
  /\b\d{6,}:[\w-]{30,}/u,
  // A token of VK.
  /\bvk1\.a\.[\w-]{20,}/u,
];

// An application password of WordPress, as it is shown. Six English words of four letters have the same form, but
// neither digits nor capitals inside a word.
const applicationPassword = /(?<![A-Za-z0-9])[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}(?![A-Za-z0-9])/u;

export function looksLikeSecret(text: string): boolean {
  const password = applicationPassword.exec(text)?.[0];
  return shapes.some((shape) => shape.test(text)) || /\d|[a-z][A-Z]/u.test(password ?? '');
}
