import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { readSpaces } from './choices.ts'
import { call } from './client.ts'
import { requiredFields, unfillable, unfilled } from './custom-fields.ts'
import { readList } from './list-choices.ts'
import { placeOf, settingsOf } from './manifest.ts'
import { NoAccess } from './refusal.ts'
import { User } from './schema.ts'
import { verifyWorkspace } from './task.ts'

/** The levels of access to a list that do not suffice for new tasks. Null: ClickUp did not say. */
const NOT_ENOUGH = ['read', 'comment', 'edit']

/** Only reads: the list and its rights, statuses, required fields, and whether the space has tags. */
export async function verify(context: Context): Promise<string> {
  const { workspace, space } = placeOf(context)
  const list = await readChosenList(context)
  const { user } = await call(context, { method: 'GET', name: 'user', path: '/user', schema: User, subject: null })
  const who = user.username ?? user.email ?? 'The sign-in'
  if (list.archived === true) throw new Rejected(`The list ${list.name} is archived in ClickUp. Choose another one`)
  if (NOT_ENOUGH.includes(list.permission_level ?? '')) {
    throw new Rejected(`${who} may not create tasks in ${list.name}. Change this in ClickUp, or choose another list`)
  }
  const status = settingsOf(context).status?.[0]
  if (status !== undefined && !list.statuses?.some((one) => one.status === status)) {
    throw new Rejected(`The list ${list.name} no longer has the chosen status. Choose another one`)
  }
  const features = (await readSpaces(context, workspace)).find(({ id }) => id === space)?.features
  if (features?.tags?.enabled === false) {
    throw new Rejected(
      'Tags are switched off in the space. Switch the ClickApp Tags on: tasks are found again by a tag',
    )
  }
  const fields = await requiredFields(context, list.id)
  const lacking = unfilled(fields, context)
  if (lacking.length > 0) throw new Rejected(`The list ${list.name} requires ${lacking.join(', ')}: choose a value`)
  const open = unfillable(fields)
  const without = open.length === 0 ? '' : `, without the required ${open.join(', ')}, which cannot be filled here`
  return `${who} may create tasks in ${list.name}${without}`
}

async function readChosenList(context: Context) {
  try {
    return await readList(context, placeOf(context).list)
  } catch (error) {
    if (error instanceof NoAccess) await verifyWorkspace(context, error)
    throw error
  }
}
