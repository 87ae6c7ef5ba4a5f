import * as z from 'zod/mini'
import { route } from '../route.ts'
import { nameOf } from '../values/name.ts'

/** At most as long as an account's name, after which a workspace is called at first. */
export const nameWorkspace = route({
  name: 'nameWorkspace',
  summary: 'Name the workspace, as its people, invitations and mails show it',
  method: 'PUT',
  path: '/api/workspace/name',
  access: 'owner',
  audit: { action: 'workspace.named' },
  body: z.object({ name: nameOf(200) }),
  reply: z.object({ name: z.string() }),
  errors: ['invalid_input'],
  example: () => ({ body: { name: 'Another name' } }),
})
