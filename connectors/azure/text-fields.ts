import type { Context } from '../connector.ts'
import { call } from './client.ts'
import { type Place, projectPath } from './place.ts'
import { type Recent, recently } from './recent.ts'
import { FieldOfType, listOf } from './schema.ts'

/** Every type has it. */
export const DESCRIPTION = 'System.Description'
/** Types that have it, such as Bug, show it on their form in place of the description. */
export const REPRO_STEPS = 'Microsoft.VSTS.TCM.ReproSteps'

const noFields = (): Recent<string[]> => new Map()

/** The fields of a type that hold the text of an insight: the description, and the field that the form shows in its place. */
export function textFieldsOf(context: Context, place: Place, type: string): Promise<string[]> {
  return recently(context, noFields, [place.organisation, place.project, type], async () => {
    const { value } = await call(context, {
      name: 'workitemtypes.fields',
      path: `${projectPath(place)}/wit/workitemtypes/${encodeURIComponent(type)}/fields`,
      schema: listOf(FieldOfType),
    })
    return [DESCRIPTION, ...value.map(({ referenceName }) => referenceName).filter((name) => name === REPRO_STEPS)]
  })
}
