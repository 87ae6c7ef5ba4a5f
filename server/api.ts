import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { INSIGHTS_DELTA } from '@groundswell/contract/insights.ts'
import { authenticate } from './auth/index.ts'
import { createHttp, type HttpOptions } from './platform/http/create.ts'
import type { Services } from './platform/services.ts'
import { handlers, mounts } from './wiring.ts'

/** A running API, at the port that it got. */
export type Api = { url: string; port: number; close: () => Promise<void> }

const webFolder = path.resolve(import.meta.dirname, '..', 'web', 'dist')

/**
 * Starts the API and the web app. If the port is taken, it uses the next free one of the following `nextPorts` and reports it to `say`;
 * if none is free, or the user may not listen on it, it throws an error for the operator.
 */
export async function startApi(
  services: Services,
  options: { nextPorts?: number; say?: (text: string) => void } & Pick<HttpOptions, 'onAnswered' | 'webFiles'> = {},
): Promise<Api> {
  const { host, port } = services.config
  const last = port === 0 ? 0 : Math.min(65_535, port + (options.nextPorts ?? 0))
  for (let candidate = port; candidate <= last; candidate += 1) {
    const calls = handlers(services)
    const http = await createHttp(services, {
      handlers: calls,
      mounts: mounts(services, calls),
      authenticate: authenticate(services),
      webFolder,
      callHeaders: [INSIGHTS_DELTA],
      ...(options.webFiles ? { webFiles: options.webFiles } : {}),
      ...(options.onAnswered ? { onAnswered: options.onAnswered } : {}),
    })
    try {
      await http.listen({ host, port: candidate })
    } catch (error) {
      await http.close()
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EADDRINUSE' && candidate < last) continue
      throw new Error(listenProblem(code, host, port, last), { cause: error })
    }
    const bound = (http.server.address() as AddressInfo).port
    if (port !== 0 && bound !== port) options.say?.(`Port ${port} is taken, so port ${bound} is used.`)
    return { url: `http://${shown(host)}:${bound}`, port: bound, close: () => http.close() }
  }
  throw new Error(listenProblem('EADDRINUSE', host, port, last))
}

function listenProblem(code: string | undefined, host: string, port: number, last: number): string {
  if (code === 'EADDRINUSE') {
    return port === last
      ? `Port ${port} is taken. Set PORT to another one.`
      : `Ports ${port} to ${last} are all taken. Set PORT.`
  }
  if (code === 'EACCES') return `Port ${port} needs rights that this user does not have. Set PORT to 1024 or more.`
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine. Set HOST.`
  return `The server could not listen on ${host} port ${port}.`
}

function shown(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
