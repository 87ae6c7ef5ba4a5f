import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Bounds how long `close()` takes. A connection that was opened and never asked anything counts as neither idle nor busy
 * for Node, which would wait for it: it is ended at once. Calls under way have `graceMs` to end, then their connections end.
 */
export function closeInTime(app: FastifyInstance, graceMs: number): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.prependListener('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
    const timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
    app.server.once('close', () => clearTimeout(timer))
  })
}
