import path from 'node:path'
import type { BuiltinEncoder } from '@groundswell/contract/models/embeddings.ts'
import { EncoderUnavailable, encoderOf } from '../../../platform/encoder/encoder.ts'
import type { Services } from '../../../platform/services.ts'
import { encoderProvider } from './provider.ts'

/** The model of the built-in encoder and why it cannot be used, if so; null when it is switched off. */
export async function readBuiltinState(services: Services): Promise<Pick<BuiltinEncoder, 'model' | 'problem'> | null> {
  const encoder = encoderOf(services)
  if (!encoder) return null
  const outage = await encoderProvider(services).readOutage()
  try {
    const { name } = await encoder.model()
    return { model: name, problem: outage && { what: outage.what, since: outage.since.toISOString() } }
  } catch (error) {
    if (!(error instanceof EncoderUnavailable)) throw error
    const folder = path.basename(services.config.encoder?.folder ?? '')
    return { model: folder, problem: { what: error.message, since: services.now().toISOString() } }
  }
}
