import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { documentAdf } from '../kit/documents/document-adf.ts'
import { documentTitle, type InsightDocument } from '../kit/documents/insight-document.ts'
import { isConnectorFailure, Rejected } from '../kit/errors.ts'
import { call, JiraRefusal } from './client.ts'
import { fieldsOf } from './create-meta.ts'
import { fieldValues, NAMED_FIELDS, wordsOf } from './field-values.ts'
import { issueTypeOf, projectOf, settingsOf } from './manifest.ts'
import { unfilledOf, whyUnfillable } from './required-fields.ts'
import { Created, type Field } from './schema.ts'
import type { JiraSite } from './site.ts'

/** Jira's limits: of a title, and of a description as JSON. */
export const MAX_TITLE = 255
const MAX_DESCRIPTION = 32_767
/** The property of an issue in which we store its marker. */
const PROPERTY = 'groundswell'

/** The label by which an issue is found again. */
export const labelOf = (marker: string) => `gs-${marker}`

/** A description in the Atlassian Document Format, cut to what Jira takes. */
export const descriptionOf = (document: InsightDocument) => documentAdf(document, { maxLength: MAX_DESCRIPTION })

/** Creates an issue in one request, with everything that is chosen. */
export async function createIssue(
  context: Context,
  site: JiraSite,
  document: InsightDocument,
): Promise<z.infer<typeof Created>> {
  const { labels, components, priority, assignee } = settingsOf(context)
  const fields = {
    ...fieldValues(context),
    project: { id: projectOf(context) },
    issuetype: { id: issueTypeOf(context) },
    summary: documentTitle(document, MAX_TITLE),
    description: descriptionOf(document),
    labels: [...new Set([...wordsOf(labels), labelOf(document.marker)])],
    ...(components?.length ? { components: components.map((id) => ({ id })) } : {}),
    ...(priority?.[0] ? { priority: { id: priority[0] } } : {}),
    ...(assignee?.[0] ? { assignee: { accountId: assignee[0] } } : {}),
  }
  const json = { fields, properties: [{ key: PROPERTY, value: { marker: document.marker } }] }
  try {
    return await call(context, site, { name: 'issue/create', method: 'POST', path: '/issue', json, schema: Created })
  } catch (error) {
    if (!(error instanceof JiraRefusal) || (error.status !== 400 && error.status !== 404)) throw error
    throw await explained(context, site, error, Object.keys(fields))
  }
}

/**
 * The refusal with the names of its fields. Jira's response identifies them by their ids, or has sentences only: then required fields
 * that are not filled are named.
 */
async function explained(
  context: Context,
  site: JiraSite,
  refusal: JiraRefusal,
  sent: readonly string[],
): Promise<Rejected> {
  const options = { ledger: refusal.ledger, cause: refusal }
  const [project, issueType] = [projectOf(context), issueTypeOf(context)]
  const known = await fieldsOf(context, site, project, issueType).catch((error: unknown) => {
    if (isConnectorFailure(error)) return undefined
    throw error
  })
  if (known === null || refusal.fields.includes('project') || refusal.fields.includes('issuetype')) {
    return new Rejected(
      'Jira no longer has the project or the issue type, or this sign-in may not create issues in it. Choose again',
      options,
    )
  }
  if (refusal.fields.length === 0) {
    const unfilled = unfilledOf(known ?? [], context.settings)
    if (unfilled.length === 0) return refusal
    const message = `Jira refused the issue: it requires ${unfilled.join(', ')}. Check what is chosen for Jira`
    return new Rejected(message, options)
  }
  const reasons = refusal.fields.map((id) =>
    reasonOf(
      id,
      known?.find(({ fieldId }) => fieldId === id),
      {
        isKnown: known !== undefined,
        isSent: sent.includes(id),
      },
    ),
  )
  return new Rejected(`Jira refused the issue: ${reasons.join('; ')}. Check what is chosen for Jira`, options)
}

/** Why a required field was not filled, where choosing it here does not help. */
function remedyOf(field: Field | undefined): string {
  if (!field) return ''
  const why = whyUnfillable(field)
  if (why !== null) return `, which cannot be filled here: ${why}`
  if (field.required || NAMED_FIELDS.has(field.fieldId)) return ''
  return ', which can be chosen here only once Jira’s field configuration requires it too'
}

function reasonOf(id: string, field: Field | undefined, { isKnown, isSent }: { isKnown: boolean; isSent: boolean }) {
  const name = field?.name ?? id
  if (isKnown && !field) return `the field ${name} is not on the screen of this issue type`
  if (!isSent)
    return `${field?.required === false ? 'its workflow requires the field' : 'it requires the field'} ${name}${remedyOf(field)}`
  return `the field ${name} was not accepted`
}
