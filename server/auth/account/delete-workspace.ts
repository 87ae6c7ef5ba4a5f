import type { DeletionProof } from '@groundswell/contract/accounts/my-account.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { lockMembers, workplaceOf, workspaceFacts, workspacesOf } from '../../features/workspaces/index.ts'
import { type AccountTx, inAccount, switchWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { sendMail } from '../mail/mailer.ts'
import { workspaceDeletedMessage } from '../mail/messages.ts'
import { recordAudit } from '../record-audit.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { requireOwner } from '../team/owners.ts'
import { confirmedAddressesOf, peopleOf } from '../team/people-store.ts'
import { moveCaller } from '../team/switch.ts'
import { spend } from '../throttle/limits.ts'
import { beginErasure } from './erase-workspace.ts'
import { giveWorkspace } from './give-workspace.ts'
import { checkProof, type GivenProof, proofOf } from './proof.ts'

/** Where the caller works afterwards: in another workspace of theirs, in a new one, or nowhere until they sign in again. */
type Afterwards = 'another' | 'new' | 'sign-in'

/** What the dialog shows before a workspace is deleted. `backupDays`: null if no backups are scheduled. */
type WorkspaceDeletion = {
  name: string
  others: number
  mailed: boolean
  backupDays: number | null
  afterwards: Afterwards
  proof: DeletionProof
}

/** What deleting the caller's workspace means. Throws `not_found` when another owner has just deleted it. */
export function previewWorkspaceDeletion(services: Services, caller: Caller): Promise<WorkspaceDeletion> {
  const { workspaceId, accountId } = caller
  const { config, db } = services
  return inAccount(db.accounts, accountId, async (tx) => {
    const proof = await proofOf(services, tx, accountId)
    const places = await workspacesOf(tx, accountId)
    await switchWorkspace(tx, workspaceId)
    const name = await nameOf(tx, caller)
    return {
      name,
      others: (await peopleOf(tx, workspaceId)).length - 1,
      mailed: mailIsOn(services),
      backupDays: db.embedded && config.backups.keep > 0 ? config.backups.keep : null,
      afterwards: caller.session.bySso ? 'sign-in' : places.length > 1 ? 'another' : 'new',
      proof,
    }
  })
}

/**
 * Deletes the caller's workspace for everyone in it. Their account stays. Their session continues in another of their workspaces, or in a new one,
 * unless this workspace's single sign-on created it. Other people get an e-mail afterwards. Throws `forbidden`, `not_found` when another
 * owner has just deleted it, `invalid_input` for a wrong `name`, `proof_refused` and `too_many_requests`.
 */
export async function deleteWorkspace(
  services: Services,
  caller: Caller,
  { name, ...given }: GivenProof & { name: string },
  request: RequestFacts,
): Promise<Afterwards> {
  const { workspaceId, accountId, session } = caller
  await spend(services, { limit: 'login', address: request.address, subject: `delete ${accountId}` })
  const proof = await checkProof(services, caller, given, request)
  const done = await inAccount(services.db.accounts, accountId, async (tx) => {
    await lockMembers(tx, workspaceId)
    await switchWorkspace(tx, workspaceId)
    const storedName = await nameOf(tx, caller)
    await requireOwner(tx, caller)
    if (name.trim() !== storedName.trim()) {
      const fields = { name: 'is not the name of the workspace' }
      throw new ContractError('invalid_input', 'This is not the name of the workspace', fields)
    }
    if (!(await proof.holds(tx))) throw new ContractError('proof_refused', REFUSED[proof.kind])
    const at = services.now()
    const told = await confirmedAddressesOf(tx, workspaceId, accountId)
    const ended = await beginErasure(services, tx, workspaceId, at, session.bySso ? undefined : session.id)
    const detail = { workspace_id: workspaceId, people: ended.accounts.length }
    await recordAudit(tx, {
      action: 'workspace.deleted',
      at,
      actorId: accountId,
      accountId,
      workspaceId: null,
      request,
      detail,
    })
    const afterwards = session.bySso ? ('sign-in' as const) : await moveOn(tx, caller, at, request)
    return { afterwards, told, storedName, at, ...ended }
  })
  const known = knownTokens(services)
  known.note('session', done.sessions, done.at)
  known.noteMembers(done.accounts, done.at)
  if (mailIsOn(services)) {
    const message = workspaceDeletedMessage({ by: caller.email, workspace: done.storedName })
    for (const address of done.told) sendMail(services, address, message)
  }
  return done.afterwards
}

const REFUSED: Readonly<Record<DeletionProof, string>> = {
  password: 'The password is wrong',
  code: 'The code is wrong or was already used',
  'recent-sign-in': 'Log out, log in again, and delete the workspace within ten minutes',
}

/** Moves the caller's session to another workspace of theirs, or to a new one. */
async function moveOn(tx: AccountTx, caller: Caller, at: Date, request: RequestFacts): Promise<'another' | 'new'> {
  const { accountId } = caller
  const other = await workplaceOf(tx, accountId)
  const next = other ?? (await giveWorkspace(tx, accountId, at, request))
  await switchWorkspace(tx, next)
  await moveCaller(tx, caller, next, at)
  return other === null ? 'new' : 'another'
}

/** The name of the caller's workspace, as long as they are in it. The transaction must be of that workspace. */
async function nameOf(tx: AccountTx, { workspaceId, accountId }: Caller): Promise<string> {
  const facts = await workspaceFacts(tx, workspaceId, accountId)
  if (facts === null) throw new ContractError('not_found', 'You are no longer in this workspace')
  return facts.name
}
