import { defineCache } from '../../../platform/caches.ts'
import type { Services } from '../../../platform/services.ts'
import type { Embedder } from './embedder.ts'
import { openEndpoint } from './endpoint.ts'
import { openLocal } from './local.ts'

const openedEmbedder = defineCache('embedder', open, (embedder) => embedder?.close?.())

/** The model that this process was started with; null without one. Nothing is loaded or sent before its first call. */
export function embedderOf(services: Services): Embedder | null {
  return services.config.embeddings ? services.caches.of(openedEmbedder) : null
}

function open(services: Services): Embedder | null {
  const { embeddings: settings, dataDir } = services.config
  if (!settings) return null
  const { url } = settings
  return url === undefined
    ? openLocal(settings, dataDir)
    : openEndpoint({ ...settings, url }, { now: () => services.now() })
}
