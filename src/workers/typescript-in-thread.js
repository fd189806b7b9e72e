/**
 * Loaded before the program of a thread or of a helping process. `--import tsx` alone reaches the main thread only. And
 * it is the loader for ES modules without the one for CommonJS, which rewrites the HTML parser under jsdom so that every
 * character goes through a getter, and a fifth of the time with it.
 */
import { register } from 'tsx/esm/api';

register();
