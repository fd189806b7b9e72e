import type { Vars } from '../../machines/shop-dialogue.ts';

export type Rendered = { text: string; missing: string[] };

/** `{{name}}` in a text of MAX's HTML. What a customer wrote is escaped; a name without a value is empty, and reported. */
export function renderTemplate(template: string, values: Vars): Rendered {
  const missing: string[] = [];
  const text = template.replace(/\{\{\s*([\p{L}_][\p{L}\d_]*)\s*\}\}/gu, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) missing.push(name);
    return escapeHtml(value ?? '');
  });
  return { text, missing };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/gu, (sign) => escapes[sign]!);
