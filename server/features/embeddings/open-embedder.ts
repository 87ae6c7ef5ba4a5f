import type { EmbeddingSettings } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import type { Embedder } from './embedder.ts'
import { openEndpoint } from './endpoint.ts'
import { openLocal } from './local.ts'

const opened = new WeakMap<EmbeddingSettings, Embedder>()

/** The model that this process was started with, opened once; null: none is set up. Nothing is loaded or sent before it is asked. */
export function embedderOf({ config, now }: Services): Embedder | null {
  const settings = config.embeddings
  if (!settings) return null
  const found = opened.get(settings)
  if (found) return found
  const { url } = settings
  const embedder = url === undefined ? openLocal(settings, config.dataDir) : openEndpoint({ ...settings, url }, { now })
  opened.set(settings, embedder)
  return embedder
}
