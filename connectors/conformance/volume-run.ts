import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Connector } from '../connector.ts'
import type { SourceStandIn } from '../kit/sample.ts'
import { heapAfterCollection } from './heap.ts'
import { contextOf, pullOf } from './source-run.ts'

/** `heap`: bytes in use after a garbage collection, once `items` were read. */
export type VolumeResult = {
  items: number
  requests: number
  least: number
  why: string
  seconds: number
  heap: { items: number; bytes: number }[]
}

/** Reads a whole stand-in, and keeps nothing of it but the cursor, which goes through JSON as in the database. */
export async function readVolume(
  connector: Connector,
  size: { threads: number; messages: number },
  measuredAt: readonly number[],
): Promise<VolumeResult> {
  const worker = new Worker(new URL('./volume-worker.ts', import.meta.url), {
    workerData: { id: connector.manifest.id, ...size },
  })
  try {
    const [standIn] = (await once(worker, 'message')) as [SourceStandIn & { least: number; why: string }]
    const { context } = await contextOf(connector, standIn, 60_000)
    const before = await callsOf(worker)
    const began = performance.now()
    const heap: VolumeResult['heap'] = []
    const waiting = [...measuredAt]
    let items = 0
    let cursor = ''
    for await (const page of pullOf(connector, context, null)) {
      items += page.items.length
      cursor = JSON.stringify(page.cursor)
      if (items < (waiting[0] ?? Number.POSITIVE_INFINITY)) continue
      waiting.shift()
      heap.push({ items, bytes: await heapAfterCollection() })
    }
    if (cursor === '') throw new Error('There was no page')
    const seconds = (performance.now() - began) / 1000
    const { least, why } = standIn
    return { items, requests: (await callsOf(worker)) - before, least, why, seconds, heap }
  } finally {
    await worker.terminate()
  }
}

async function callsOf(worker: Worker): Promise<number> {
  worker.postMessage('calls')
  const [calls] = (await once(worker, 'message')) as [number]
  return calls
}
