import { Session } from 'node:inspector/promises'

/**
 * Bytes of the heap that are still referred to: garbage is collected first, since its amount depends on what else the machine does. It needs no flag
 * of the process.
 */
export async function heapAfterCollection(): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
    return process.memoryUsage().heapUsed
  } finally {
    session.disconnect()
  }
}
