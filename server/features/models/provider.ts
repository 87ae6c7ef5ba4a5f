import type { LlmSettings } from '../../platform/config/model-settings.ts'
import { ModelProvider } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'

/** The budget, outages and usage of the language model. */
export function languageModelProvider(services: Services, settings?: LlmSettings): ModelProvider {
  return new ModelProvider(services, {
    name: 'language model',
    fallback: 'names and groups stay as the engine makes them',
    tables: { outage: 'model_trouble', budget: 'model_budget', usage: 'model_day' },
    tokensPerDay: settings?.tokensPerDay,
  })
}
