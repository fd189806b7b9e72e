type Node<Value> = { next: Map<number, Node<Value>>; value: Value | undefined };

type KeywordIndex<Value> = {
  add(keyword: string): Value;
  find(text: string, found: (value: Value) => void): void;
};

/**
 * Finds every keyword that a text contains. A trie, walked from each place of the text: it costs the length of the text
 * and not the number of keywords. Comparing a short message with ten thousand rules one by one took 2 ms, one of 4,000
 * characters 150 ms.
 */
export function createKeywordIndex<Value>(empty: () => Value): KeywordIndex<Value> {
  const root: Node<Value> = { next: new Map(), value: undefined };
  return { add, find };

  function add(keyword: string): Value {
    let node = root;
    for (let at = 0; at < keyword.length; at += 1) {
      const code = keyword.charCodeAt(at);
      const known = node.next.get(code);
      if (known) node = known;
      else {
        const fresh: Node<Value> = { next: new Map(), value: undefined };
        node.next.set(code, fresh);
        node = fresh;
      }
    }
    node.value ??= empty();
    return node.value;
  }

  function find(text: string, found: (value: Value) => void): void {
    for (let start = 0; start < text.length; start += 1) {
      let node: Node<Value> | undefined = root;
      for (let at = start; node !== undefined; at += 1) {
        if (node.value !== undefined) found(node.value);
        if (at === text.length) break;
        node = node.next.get(text.charCodeAt(at));
      }
    }
  }
}
