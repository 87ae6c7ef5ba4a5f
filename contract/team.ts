import * as z from 'zod/mini'
import { EMAIL_FORM, MAX_EMAIL_LENGTH } from './accounts.ts'
import { route } from './route.ts'
import { Role } from './values/role.ts'

/** For how many days an invitation is valid. */
export const INVITATION_DAYS = 7

/** A person in the workspace. `is_me`: the caller. */
export const TeamMember = z.object({
  account_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  joined_at: z.string(),
  is_me: z.boolean(),
})
export type TeamMember = z.infer<typeof TeamMember>

/** An invitation that nobody has accepted yet. `email`: where its link was mailed to; null: the link was copied. */
export const Invitation = z.object({
  id: z.string(),
  role: Role,
  email: z.nullable(z.string()),
  invited_by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

export const getTeam = route({
  name: 'getTeam',
  summary: 'The people in the workspace; for owners also the open invitations',
  method: 'GET',
  path: '/api/team',
  access: 'viewer',
  reply: z.object({ members: z.array(TeamMember), invitations: z.array(Invitation), mail: z.boolean() }),
  errors: [],
})

/** `link` is shown once: the first person who opens it while it is valid may join. With `email` it is also sent by e-mail if a mail server is set up (`mailed`). */
export const invite = route({
  name: 'invite',
  summary: 'Invite a person by a link, which works once and expires after 7 days',
  method: 'POST',
  path: '/api/team/invitations',
  access: 'owner',
  audit: 'none',
  body: z.object({
    role: Role,
    email: z.optional(
      z
        .string()
        .check(
          z.trim(),
          z.toLowerCase(),
          z.maxLength(MAX_EMAIL_LENGTH),
          z.regex(EMAIL_FORM, 'is not an e-mail address'),
        ),
    ),
  }),
  reply: z.object({ invitation: Invitation, link: z.string(), mailed: z.boolean() }),
  errors: ['invalid_input', 'forbidden', 'conflict', 'too_many_requests'],
  example: () => ({ body: { role: 'viewer' } }),
})

export const revokeInvitation = route({
  name: 'revokeInvitation',
  summary: 'Revoke an invitation: its link stops working',
  method: 'DELETE',
  path: '/api/team/invitations/{id}',
  access: 'owner',
  audit: 'none',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'forbidden', 'not_found'],
  example: ({ invitation }) => ({ params: { id: invitation } }),
})

const Token = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/** `not_found`: unknown, expired, revoked or accepted; the reply does not say which. */
export const previewInvitation = route({
  name: 'previewInvitation',
  summary: 'What an invitation offers, before it is accepted',
  method: 'POST',
  path: '/api/invitations/preview',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  body: Token,
  reply: z.object({ workspace: z.string(), invited_by: z.string(), role: Role, expires_at: z.string() }),
  errors: ['invalid_input', 'not_found', 'too_many_requests'],
  example: () => ({ body: { token: 'a token that nobody has' } }),
})

/** `not_found`: unknown, expired, revoked or accepted by another person. `conflict`: the caller is in the workspace already. */
export const acceptInvitation = route({
  name: 'acceptInvitation',
  summary: 'Accept an invitation: join the workspace, and switch to it',
  method: 'POST',
  path: '/api/invitations/accept',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  body: Token,
  reply: z.object({ workspace_id: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict', 'too_many_requests'],
  needs: 'a second workspace',
  example: () => ({ body: { token: 'a token that nobody has' } }),
})

const Person = z.object({ id: z.uuid() })

/** `conflict`: the workspace would be left without an owner. */
export const changeRole = route({
  name: 'changeRole',
  summary: 'Change a person’s role; the workspace always keeps an owner',
  method: 'PUT',
  path: '/api/team/{id}/role',
  access: 'owner',
  audit: 'none',
  params: Person,
  body: z.object({ role: Role }),
  reply: z.object({ role: Role }),
  errors: ['invalid_input', 'forbidden', 'not_found', 'conflict'],
  example: ({ member }) => ({ params: { id: member }, body: { role: 'viewer' } }),
})

/** `role`: that of the caller from now on. `conflict`: it is the caller, who is an owner already. */
export const transferOwnership = route({
  name: 'transferOwnership',
  summary: 'Hand the workspace over: make another person an owner, and become a member',
  method: 'POST',
  path: '/api/team/{id}/transfer',
  access: 'owner',
  audit: 'none',
  params: Person,
  reply: z.object({ role: Role }),
  errors: ['invalid_input', 'forbidden', 'not_found', 'conflict'],
  ends: 'ownership',
  example: ({ member }) => ({ params: { id: member } }),
})

/** `conflict`: it is the caller, who can leave with `leaveWorkspace` instead. */
export const removeMember = route({
  name: 'removeMember',
  summary: 'Remove a person from the workspace, with their sessions and API keys there',
  method: 'DELETE',
  path: '/api/team/{id}',
  access: 'owner',
  audit: 'none',
  params: Person,
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'forbidden', 'not_found', 'conflict'],
  ends: 'membership',
  example: ({ member }) => ({ params: { id: member } }),
})

/** `conflict`: the caller is the last owner. */
export const leaveWorkspace = route({
  name: 'leaveWorkspace',
  summary: 'Leave the workspace; its last owner cannot',
  method: 'POST',
  path: '/api/team/leave',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  reply: z.object({ ok: z.literal(true) }),
  errors: ['conflict'],
  ends: 'membership',
})

export const listMyWorkspaces = route({
  name: 'listMyWorkspaces',
  summary: 'The workspaces that I am in',
  method: 'GET',
  path: '/api/workspaces',
  access: 'person',
  reply: z.object({
    workspaces: z.array(z.object({ id: z.string(), name: z.string(), role: Role, is_current: z.boolean() })),
  }),
  errors: [],
})

export const switchWorkspace = route({
  name: 'switchWorkspace',
  summary: 'Switch to another workspace that I am in',
  method: 'POST',
  path: '/api/workspaces/switch',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  body: z.object({ workspace_id: z.uuid() }),
  reply: z.object({ workspace_id: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ workspace }) => ({ body: { workspace_id: workspace } }),
})
