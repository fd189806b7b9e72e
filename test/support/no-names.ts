import type { ResolveName } from '../../src/clients/http/resolve-name.ts';

/** No name server is asked: one that loses a packet costs five seconds, and no name of these tests has an address. */
export const noNames: ResolveName = (hostname) =>
  hostname === 'localhost'
    ? Promise.resolve(['127.0.0.1'])
    : Promise.reject(new Error(`ENOTFOUND ${hostname}`));
