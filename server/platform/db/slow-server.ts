import net from 'node:net'

/** The same database at an address where data takes `delayMs` in each direction, for tests. */
export async function slowTo(url: string, delayMs: number): Promise<{ url: string; close(): Promise<void> }> {
  const target = new URL(url)
  const port = target.searchParams.get('port') || target.port || '5432'
  const folder = target.searchParams.get('host')
  const sockets = new Set<net.Socket>()
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = folder
      ? net.connect({ path: `${folder}/.s.PGSQL.${port}`, allowHalfOpen: true })
      : net.connect({ port: Number(port), host: target.hostname, allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.setNoDelay()
      from.on('data', (data) => setTimeout(() => to.write(data), delayMs))
      from.on('end', () => setTimeout(() => to.end(), delayMs))
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = new URL(url)
  address.searchParams.delete('host')
  address.searchParams.delete('port')
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as net.AddressInfo).port)
  return {
    url: address.href,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
