import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';
import { processes } from '../../machines/processes.ts';
import { registry } from '../../machines/registry.ts';
import { autopostScheme } from '../charts/autopost-scheme.ts';
import { drawHouse } from '../charts/draw-house.ts';
import { flowDrawings } from '../charts/flow-drawings.ts';
import { readHouse } from '../charts/read-house.ts';
import { shopRegistry } from '../shop-bot/registry.ts';

const folder = new URL('../../visualizations/', import.meta.url);
const viz = await instance();
const drawings = flowDrawings({ ...registry, ...processes, ...shopRegistry }, viz);
drawings.set('autopost-architecture.svg', autopostScheme(viz));
drawings.set('house.svg', drawHouse(readHouse(fileURLToPath(new URL('../../', import.meta.url))), viz));

await mkdir(folder, { recursive: true });
const left = (await readdir(folder)).filter((file) => !drawings.has(file));
await Promise.all(left.map((file) => rm(new URL(file, folder))));
await Promise.all([...drawings].map(([file, text]) => writeFile(new URL(file, folder), text)));

console.log(`visualizations/: ${drawings.size} files written, ${left.length} removed`);
