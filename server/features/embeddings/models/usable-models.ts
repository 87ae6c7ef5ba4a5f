import type { Services } from '../../../platform/services.ts'
import { builtinEmbedder } from './builtin-embedder.ts'
import type { UsableModel } from './embedder.ts'
import { offeredEmbedder } from './offered-embedder.ts'

/** The models that a workspace can group with: the one that the operator offers and the built-in one, as far as there are. */
export async function usableModels(services: Services, options: { urgent?: boolean } = {}): Promise<UsableModel[]> {
  const models = [await offeredEmbedder(services), await builtinEmbedder(services, options)]
  return models.filter((model) => model !== null)
}

/** The usable model whose vectors these are; null if there is none. */
export async function modelOfSpace(
  services: Services,
  space: string,
  options: { urgent?: boolean } = {},
): Promise<UsableModel | null> {
  return (await usableModels(services, options)).find((model) => model.space === space) ?? null
}
