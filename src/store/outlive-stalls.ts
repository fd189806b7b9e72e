import type { Socket } from 'node:net';

/**
 * A process that stood still for longer than the driver waits finds its timer due before it could read what has come
 * meanwhile, and would take a living server for a dead one. So what waits in the socket is read first: a timeout ends
 * the connection only when one more turn of the event loop has brought nothing.
 */
export function outliveStalls(socket: Socket, isTimeout: (error: Error) => boolean): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (!error || !isTimeout(error)) return destroy(error);
    const heard = socket.bytesRead;
    setImmediate(() => {
      if (socket.bytesRead === heard) destroy(error);
    });
    return socket;
  };
}
