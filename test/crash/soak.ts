import { faultsIn, runStorm } from './storm.ts';

/** `npm run soak:engine -- 600 7 cluster`: so many seconds of storm, the seed of its choices, and on a Redis Cluster. */
const [seconds = '60', given, store = 'redis'] = process.argv.slice(2);
const seed = given ? Number(given) : Date.now() % 1_000_000;
const report = await runStorm({ seconds: Number(seconds), seed, cluster: store === 'cluster' });
console.log(JSON.stringify({ seed, store, ...report }));
process.exit(faultsIn(report) === 0 ? 0 : 1);
