const statusIcons: Record<string, string> = { active: '●', error: '⚠', disconnected: '○' };

export const statusIcon = (status: string): string => statusIcons[status] ?? '';
