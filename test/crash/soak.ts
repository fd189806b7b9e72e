import { runStorm } from './storm.ts';

/** `npm run soak:engine -- 600 7`: so many seconds of storm, and the seed of its choices. */
const [seconds = '60', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const report = await runStorm({ seconds: Number(seconds), seed: Number(seed) });
console.log(JSON.stringify({ seed: Number(seed), ...report }));
const { lost, twice, unbalanced, unanswered, stuck, pending, failures } = report;
process.exit(lost + twice + unbalanced + unanswered + stuck + pending + failures.length === 0 ? 0 : 1);
