import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { isInstallation, repositoryOf, settingsOf } from './manifest.ts'
import { Refusal } from './refusal.ts'
import { inRepository, pathOf, readRepository } from './repository.ts'
import type { Repository } from './schema.ts'

const LACKING = ', but without labels and assignee: GitHub requires the role Triage or Write for them'

/** Verifies that issues may be created in the chosen repository, and says what they would lack. */
export async function verify(context: Context): Promise<string> {
  const repository = await readRepository(context, repositoryOf(context))
  const { full_name, has_issues, archived } = repository
  if (archived) throw new Rejected(`${full_name} is archived on GitHub: choose another repository`)
  if (!has_issues) throw new Rejected(`Issues are switched off in ${full_name}: switch them on in its settings`)
  await verifyWriting(context, full_name)
  return `${settingsOf(context).login} may write issues in ${full_name}${losesChoices(context, repository) ? LACKING : ''}`
}

/** GitHub silently drops labels and assignees that a person may not set. For installations it reports no role. */
function losesChoices(context: Context, { permissions }: Repository): boolean {
  const { labels, assignee } = settingsOf(context)
  if (isInstallation(context) || !permissions || !(labels?.length || assignee?.length)) return false
  return !permissions.push && !permissions.triage
}

/** Requests an issue without a title, which GitHub refuses: with 403 or 404 where the sign-in may not create issues, with 422 otherwise. */
async function verifyWriting(context: Context, repository: string): Promise<void> {
  try {
    await inRepository(() =>
      call(context, {
        method: 'POST',
        name: 'issues.create',
        path: `${pathOf(repository)}/issues`,
        json: {},
        schema: z.unknown(),
      }),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.why !== 'invalid') throw error
  }
}
