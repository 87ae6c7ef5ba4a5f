import net from 'node:net'

/** A database at its own address, whose network a test can disturb. */
export type Proxy = {
  url: string
  /** From now on nothing arrives on any connection, and none is closed: as when a cable is cut. Those that are open now stay dead. */
  swallow(): void
  /** New connections work again. */
  deliver(): void
  close(): Promise<void>
}

type Pair = { near: net.Socket; far: net.Socket; dead: boolean }

/** The same database at another address, where data takes `delayMs` in each direction. For tests. */
export async function proxyTo(url: string, delayMs = 0): Promise<Proxy> {
  const pairs = new Set<Pair>()
  let swallows = false
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const pair: Pair = { near, far: connectTo(url), dead: swallows }
    pairs.add(pair)
    forward(pair, near, pair.far, delayMs)
    forward(pair, pair.far, near, delayMs)
    near.on('close', () => {
      pairs.delete(pair)
      pair.far.destroy()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: addressOf(url, (server.address() as net.AddressInfo).port),
    swallow() {
      swallows = true
      for (const pair of pairs) pair.dead = true
    },
    deliver() {
      swallows = false
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      await new Promise((closed) => server.close(closed))
    },
  }
}

function forward(pair: Pair, from: net.Socket, to: net.Socket, delayMs: number): void {
  from.setNoDelay()
  from.on('data', (data) => {
    if (!pair.dead) setTimeout(() => to.write(data), delayMs)
  })
  from.on('end', () => {
    if (!pair.dead) setTimeout(() => to.end(), delayMs)
  })
  from.on('error', () => {
    if (!pair.dead) to.destroy()
  })
}

function connectTo(url: string): net.Socket {
  const target = new URL(url)
  const port = target.searchParams.get('port') || target.port || '5432'
  const folder = target.searchParams.get('host')
  return folder
    ? net.connect({ path: `${folder}/.s.PGSQL.${port}`, allowHalfOpen: true })
    : net.connect({ port: Number(port), host: target.hostname, allowHalfOpen: true })
}

function addressOf(url: string, port: number): string {
  const address = new URL(url)
  address.searchParams.delete('host')
  address.searchParams.delete('port')
  address.hostname = '127.0.0.1'
  address.port = String(port)
  return address.href
}
