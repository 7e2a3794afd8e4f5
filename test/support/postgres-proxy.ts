import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `break`: the connection breaks before the server has the statement. `cut`: the server carries it out, and the connection breaks before its answer. `hang`: its answer never comes. */
export type Mishap = 'break' | 'cut' | 'hang';

/** The first and the last statement of a transaction that writes. */
export type Stage = 'begin' | 'commit';

/** A proxy before a database server that fails on demand. */
export interface PostgresProxy {
  readonly url: string;
  /** Asked at each stage of a transaction. Null: nothing happens. */
  next: (stage: Stage) => Mishap | null;
  /** Breaks all connections and accepts none from now on. */
  end(): Promise<void>;
}

const STAGES: readonly (readonly [Stage, RegExp])[] = [
  ['begin', /\bFOR UPDATE\b/],
  ['commit', /\bCOMMIT\b/],
];

function toServer(url: string): Socket {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host');
  return host === null
    ? connect(Number(port || 5432), hostname)
    : connect(`${host}/.s.PGSQL.${port || 5432}`);
}

function join(client: Socket, server: Socket, proxy: PostgresProxy): void {
  const both = [client, server];
  const end = (): void => {
    for (const socket of both) socket.destroy();
  };
  let mishap: Mishap | null = null;
  for (const socket of both) socket.on('error', end).on('close', end);
  client.on('data', (data: Buffer) => {
    const text = data.toString('latin1');
    for (const [stage, pattern] of STAGES) if (pattern.test(text)) mishap ??= proxy.next(stage);
    if (mishap === 'break') end();
    else server.write(data);
  });
  server.on('data', (data: Buffer) => {
    if (mishap === null) client.write(data);
    else if (mishap === 'cut') end();
  });
}

/** Listens on a port that the system chooses. `url`: address of the server. */
export async function startPostgresProxy(url: string): Promise<PostgresProxy> {
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const server = toServer(url);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    join(client, server, proxy);
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  const address = new URL(url);
  address.searchParams.delete('host');
  address.hostname = '127.0.0.1';
  address.port = String((listener.address() as AddressInfo).port);
  const proxy: PostgresProxy = {
    url: String(address),
    next: () => null,
    end: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
  return proxy;
}
