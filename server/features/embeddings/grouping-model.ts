import type { Tx } from '../../platform/db/tenant.ts'
import { ENCODER_LANGUAGES, encoderOf } from '../../platform/encoder/encoder.ts'
import type { Services } from '../../platform/services.ts'
import type { GroupingModel } from '../insights/index.ts'
import { builtinSpace, isBuiltin } from './models/builtin-embedder.ts'
import { readChoice } from './store.ts'

/** The model of a space; '' for words alone. */
export function modelForGrouping(space: string): GroupingModel {
  const late = isBuiltin(space)
  return { space, languages: late ? ENCODER_LANGUAGES : null, late }
}

/**
 * The model that a workspace groups with: the one that an admin chose, else the built-in encoder, else words alone. Null while the
 * encoder is the one and its folder cannot be read: nothing is grouped again because of that.
 */
export async function groupingModel(services: Services, tx: Tx, workspaceId: string): Promise<GroupingModel | null> {
  const chosen = await readChoice(tx, workspaceId)
  if (chosen !== null) return modelForGrouping(chosen)
  const builtin = await builtinSpace(services)
  if (builtin !== null) return modelForGrouping(builtin)
  return encoderOf(services) ? null : modelForGrouping('')
}

/** The space of that model, as far as it can be determined; '' for words alone. */
export async function groupingSpace(services: Services, tx: Tx, workspaceId: string): Promise<string> {
  return (await groupingModel(services, tx, workspaceId))?.space ?? ''
}
