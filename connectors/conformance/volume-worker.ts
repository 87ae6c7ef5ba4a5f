import { parentPort, workerData } from 'node:worker_threads'
import type { SourceVolume } from '../kit/sample.ts'

/** A stand-in in its own thread, so that its memory is not measured with the connector's. */
const { id, threads, messages } = workerData as { id: string; threads: number; messages: number }
const loaded = (await import(new URL(`../${id}/testing.ts`, import.meta.url).href)) as { volume: SourceVolume }
const standIn = await loaded.volume(threads, messages)
const { baseUrl, form, least, why } = standIn
parentPort?.postMessage({ baseUrl, form, least, why })
parentPort?.on('message', () => parentPort?.postMessage(standIn.calls()))
