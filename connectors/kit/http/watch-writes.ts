import type { Http } from '../../connector.ts'
import { isConnectorFailure } from '../errors.ts'
import { isRead } from './dry-run.ts'

/** A request that the provider gave up as too slow may have been processed in part. */
const TIMED_OUT = 408

/**
 * Wraps an HTTP client. `nothingWritten`: each write that was sent through it was answered with a refusal, or never left this machine, so
 * that certainly nothing was created. A write without a complete answer, or with any other one, may have been done.
 */
export function watchWrites(http: Http): { http: Http; nothingWritten(): boolean } {
  let unknown = 0
  return {
    http: {
      async request(request) {
        if (isRead(request)) return http.request(request)
        unknown += 1
        try {
          const response = await http.request(request)
          const { status } = response
          if (status >= 400 && status < 500 && status !== TIMED_OUT) unknown -= 1
          return response
        } catch (error) {
          if (isConnectorFailure(error) && error.unsent) unknown -= 1
          throw error
        }
      },
    },
    nothingWritten: () => unknown === 0,
  }
}
