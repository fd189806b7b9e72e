/** Keywords that Anthropic's strict mode refuses. */
const REFUSED_BY_ANTHROPIC = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'maxItems'];

/** What a provider would say against a schema in strict mode; null: nothing. */
export function schemaFault(schema: unknown, model: string): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const node = schema as Record<string, unknown>;
  if (node.type === 'object') {
    if (node.additionalProperties !== false) return "'additionalProperties' is required to be false";
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    const left = Object.keys(node.properties ?? {}).find((key) => !required.has(key));
    if (left !== undefined) return `'required' has to list every key, '${left}' is missing`;
  }
  if (model.startsWith('anthropic/')) {
    const refused = REFUSED_BY_ANTHROPIC.find((keyword) => typeof node.type === 'string' && keyword in node);
    if (refused !== undefined) return `'${refused}' is not supported`;
  }
  for (const inner of [...Object.values(node.properties ?? {}), node.items]) {
    const fault = schemaFault(inner, model);
    if (fault !== null) return fault;
  }
  return null;
}
