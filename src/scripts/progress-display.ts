import type { WriteStream } from 'node:tty';
import type { ArticleStage } from '../services/article/write-article.ts';

const labels: Readonly<Record<ArticleStage, string>> = {
  gathering: 'Looking at the search results and the competitors',
  writing: 'Writing the text, drawing the pictures',
  images: 'Waiting for the pictures',
  checking: 'Checking and laying out',
  preview: 'Preparing the preview',
};

/** One line per stage; in a terminal the running one counts its seconds. */
export function createProgressDisplay(out: Pick<WriteStream, 'write' | 'isTTY'>, now = Date.now) {
  let current: { label: string; since: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  return { stage, done };

  function stage(name: ArticleStage): void {
    done();
    current = { label: labels[name], since: now() };
    if (!out.isTTY) return;
    draw();
    timer = setInterval(draw, 200).unref();
  }

  function done(): void {
    clearInterval(timer);
    if (!current) return;
    out.write(`${out.isTTY ? '\r' : ''}✓ ${told()}\n`);
    current = null;
  }

  function draw(): void {
    out.write(`\r⏳ ${told()}`);
  }

  function told(): string {
    return `${current!.label} (${((now() - current!.since) / 1_000).toFixed(1)} s)`;
  }
}
