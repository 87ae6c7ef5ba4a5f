import { ModelProvider } from '../../../platform/model-provider/provider.ts'
import type { Services } from '../../../platform/services.ts'

/** The outages of the built-in encoder. It has no budget. */
export function encoderProvider(services: Services): ModelProvider {
  return new ModelProvider(services, {
    name: 'sentence encoder',
    fallback: 'vectors are computed once it can be used again',
    tables: { outage: 'encoder_trouble', budget: 'embedding_budget' },
    tokensPerDay: undefined,
  })
}

/** The budget and outages of the embedding model. A local model has no budget. */
export function embeddingProvider(services: Services): ModelProvider {
  return new ModelProvider(services, {
    name: 'embedding model',
    fallback: 'new feedback is grouped by its words',
    tables: { outage: 'embedding_trouble', budget: 'embedding_budget', recordsExhaustion: true },
    tokensPerDay: services.config.embeddings?.tokensPerDay,
  })
}
