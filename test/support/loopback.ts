import { createServer, type RequestListener, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';

export interface Loopback {
  readonly port: number;
  /** Number of connections to the server. */
  connections(): number;
  close(): Promise<void>;
}

/** An HTTP server on a loopback address that counts its connections. With `port` 0 the system chooses the port. */
export async function listen(handler: RequestListener, host = '127.0.0.1', port = 0): Promise<Loopback> {
  let connections = 0;
  const server: Server = createServer(handler);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Records the target of every connection that the process opens during `run`: `127.0.0.1:80`. */
export async function spyDials(run: () => Promise<void>): Promise<readonly string[]> {
  const dials: string[] = [];
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function spied(this: Socket, ...args: never[]): Socket {
    // node:net passes its normalised arguments as a list. The first item is the options object.
    const first: unknown = [args[0]].flat()[0];
    if (typeof first === 'object' && first !== null)
      dials.push(`${Reflect.get(first, 'host')}:${Reflect.get(first, 'port')}`);
    else dials.push(String(first));
    return Reflect.apply(connect, this, args) as Socket;
  };
  try {
    await run();
  } finally {
    Socket.prototype.connect = connect;
  }
  return dials;
}
