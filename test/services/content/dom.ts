import { createRequire } from 'node:module';

/** As much of a DOM as the tests look at; see sanitize-html.ts for why jsdom's types stay out. */
export type Element = {
  readonly localName: string;
  readonly namespaceURI: string;
  readonly textContent: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly parentElement: Element | null;
  readonly content?: unknown;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
};

type Parser = { parseFromString(html: string, type: 'text/html'): { body: Element } };
type Jsdom = { JSDOM: new () => { window: { DOMParser: new () => Parser } } };
const { JSDOM } = createRequire(import.meta.url)('jsdom') as Jsdom;
const parser = new new JSDOM().window.DOMParser(); // not the product's window

/** A page of its own for every text, read as a browser reads it. */
export const read = (html: string): Element =>
  parser.parseFromString(`<!doctype html><body>${html}`, 'text/html').body;

export const all = (root: Element, selector: string): Element[] => [...root.querySelectorAll(selector)];
export const texts = (root: Element, selector: string): string[] =>
  all(root, selector).map(({ textContent }) => textContent.replace(/\s+/gu, ' ').trim());
export const values = (root: Element, selector: string, name: string): (string | null)[] =>
  all(root, selector).map((element) => element.getAttribute(name));
