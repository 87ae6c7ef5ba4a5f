import { ModelProvider } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'

/** The budget and outages of the embedding model. A local model has no budget. */
export function embeddingProvider(services: Services): ModelProvider {
  return new ModelProvider(services, {
    name: 'embedding model',
    fallback: 'new feedback is grouped by its words',
    tables: { outage: 'embedding_trouble', budget: 'embedding_budget', recordsExhaustion: true },
    tokensPerDay: services.config.embeddings?.tokensPerDay,
  })
}
