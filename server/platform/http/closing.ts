import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Limits how long `close()` takes. A connection that was opened and never sent a request counts as neither idle nor busy
 * for Node, which would wait for it: it is closed immediately. Running calls have `graceMs` to finish, then their connections are closed.
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
