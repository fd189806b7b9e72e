import { fromPromise } from 'xstate';

/** A slot for a service. A machine names what it needs; the composition root fills it. */
export const port = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`Port "${name}" was not provided`)));
