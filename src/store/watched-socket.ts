import { connect, type Socket } from 'node:net';

type Options = { host: string[]; port: number[]; path?: string | false };

/**
 * A connection that is given up when nothing was heard for so long. The driver waits for an answer for ever, and a
 * connection whose other end vanished without a word (a lost machine, a forgotten entry in a firewall) takes down
 * whatever is asked of it. The bytes are counted beneath TLS, which takes the socket's events for itself.
 */
export function watchedSocket(silenceMs: number) {
  let turn = 0;
  // Not connected yet: what the driver writes meanwhile is kept by the socket.
  return ({ host, port, path }: Options): Socket => {
    const at = turn++ % host.length;
    const socket = path ? connect(path) : connect(port[at]!, host[at]!);
    Object.assign(socket, { host: host[at], port: port[at] }); // the driver names the server in TLS by it
    let heard = 0;
    const watch = setInterval(() => {
      if (socket.destroyed) return clearInterval(watch);
      if (socket.bytesRead === heard) socket.destroy(silent());
      heard = socket.bytesRead;
    }, silenceMs);
    watch.unref();
    return socket;
  };

  /** Carries the network's error code, by which callers know that a retry may help. */
  function silent(): Error {
    return Object.assign(new Error(`silent for ${silenceMs} ms`), { code: 'ETIMEDOUT' });
  }
}
