import * as z from 'zod/mini'
import { route } from '../route.ts'

/**
 * The reply is the file itself, not JSON: gzip of JSON lines, described in docs/workspace-export.md. For owners of the workspace. One export of a
 * workspace runs at a time, `conflict`; when too many others run, `too_many_requests`. A failure while the file is being sent ends the
 * connection: a whole file ends with a line that counts its rows.
 */
export const exportWorkspace = route({
  name: 'exportWorkspace',
  summary: 'Everything that is stored in the workspace, without secrets, as one file',
  method: 'POST',
  path: '/api/workspace/export',
  access: 'owner',
  audit: { action: 'workspace.exported' },
  reply: z.string(),
  errors: ['forbidden', 'conflict', 'too_many_requests'],
})
