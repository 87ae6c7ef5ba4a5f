import { textToEncode } from '@groundswell/engine/index.ts'
import { EncoderUnavailable, encoderOf } from '../../../platform/encoder/encoder.ts'
import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import type { Services } from '../../../platform/services.ts'
import { nameOfSpace, spaceOfGeneration, type UsableModel } from './embedder.ts'
import { encoderProvider } from './provider.ts'

/** The start of every space of the built-in encoder. */
export const BUILTIN = 'builtin'

/** Whether a space is one of the built-in encoder, of this or an earlier version. */
export function isBuiltin(space: string): boolean {
  return nameOfSpace(space).startsWith(`${BUILTIN}/`)
}

/** The space of the built-in encoder; null when it is switched off or its folder cannot be read. Starts no process. */
export async function builtinSpace(services: Services): Promise<string | null> {
  try {
    const model = await encoderOf(services)?.model()
    return model ? spaceOfGeneration(`${BUILTIN}/${model.name}`, model.version) : null
  } catch (error) {
    if (error instanceof EncoderUnavailable) return null
    throw error
  }
}

/** The built-in encoder as a model; null as for `builtinSpace`. `urgent`: its requests come before the others. */
export async function builtinEmbedder(
  services: Services,
  { urgent = false }: { urgent?: boolean } = {},
): Promise<UsableModel | null> {
  const encoder = encoderOf(services)
  const space = await builtinSpace(services)
  if (!encoder || space === null) return null
  return {
    space,
    outages: encoderProvider(services),
    async embed(texts, signal) {
      try {
        return await encoder.encode(texts.map(textToEncode), { signal, urgent })
      } catch (error) {
        if (error instanceof EncoderUnavailable) throw new ModelFailure(kindOf(error), error.message)
        throw error
      }
    },
  }
}

/** A text may be why the process crashed, so the others are tried without it. What an operator has to repair is not retried soon. */
function kindOf({ reason }: EncoderUnavailable): ModelFailure['kind'] {
  if (reason === 'crashed') return 'rejected'
  return reason === 'busy' || reason === 'off' ? 'unavailable' : 'auth'
}
