const statusIcons: Record<string, string> = { active: '●', error: '⚠', disconnected: '○' };

export const statusIcon = (status: string): string => statusIcons[status] ?? '';

/** The person's own name for it, what the platform calls it, or its bare identifier. */
export function connectionName({ identifier, metadata = {} }: Named): string {
  const { name, title } = metadata;
  return typeof name === 'string' ? name : typeof title === 'string' ? title : identifier;
}

type Named = { identifier: string; metadata?: Readonly<Record<string, unknown>> };
