/** What the bot asks MAX to bring; everything else would be answered 200 and left alone. */
export const updateTypes = ['message_created', 'message_callback', 'bot_started'] as const;
