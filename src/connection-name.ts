/** The person's own name for it, what the platform calls it, or its bare identifier. */
export function connectionName({ identifier, metadata = {} }: Named): string {
  const known = [metadata.name, metadata.title].find((one) => typeof one === 'string' && one !== '');
  return known === undefined ? identifier : String(known);
}

type Named = { identifier: string; metadata?: Readonly<Record<string, unknown>> };
