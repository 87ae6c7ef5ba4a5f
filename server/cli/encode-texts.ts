import type { SentenceEncoder } from '@groundswell/engine/index.ts'
import pino from 'pino'
import type { Config } from '../platform/config/config.ts'
import { BackgroundEncoder, ENCODER_LANGUAGES, EncoderUnavailable } from '../platform/encoder/encoder.ts'
import { progressBar } from './progress-bar.ts'
import type { Output } from './terminal.ts'

/** More cannot wait for the encoder at once. */
const TEXTS_PER_REQUEST = 500
/** Fewer are read within a second or two. */
const MIN_FOR_PROGRESS = 200

/** The built-in encoder, to be stopped after use; null where it is off. */
export function openEncoder({ encoder: settings }: Pick<Config, 'encoder'>): BackgroundEncoder | null {
  return settings
    ? new BackgroundEncoder({ model: settings, log: pino({ level: 'silent' }), now: () => new Date() })
    : null
}

/** The vectors of these texts by the built-in encoder; null where it is off or cannot be used, which `stderr` reports: then words are compared. */
export async function encodeTexts(
  texts: readonly string[],
  { encoder: settings }: Config,
  stderr: Output = process.stderr,
): Promise<SentenceEncoder | null> {
  const encoder = openEncoder({ encoder: settings })
  if (!encoder) return null
  const bar = texts.length < MIN_FOR_PROGRESS ? null : progressBar('Reading', stderr)
  try {
    const { name, version } = await encoder.model()
    const vectors = new Map<string, Float32Array>()
    const show = (read: number) =>
      bar?.show(read / texts.length, `${read.toLocaleString('en')} of ${texts.length.toLocaleString('en')} statements`)
    for (let at = 0; at < texts.length; at += TEXTS_PER_REQUEST) {
      show(at)
      const part = texts.slice(at, at + TEXTS_PER_REQUEST)
      const found = await encoder.encode(part)
      for (const [index, one] of part.entries()) vectors.set(one, found[index] as Float32Array)
    }
    show(texts.length)
    return { space: `${name}, version ${version}`, languages: ENCODER_LANGUAGES, vectors }
  } catch (error) {
    if (!(error instanceof EncoderUnavailable)) throw error
    stderr.write(`Words are compared: ${error.message}\n`)
    return null
  } finally {
    bar?.end()
    encoder.stop()
  }
}
