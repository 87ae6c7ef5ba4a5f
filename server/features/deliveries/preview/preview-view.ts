import type { DraftRequest, ShownItem } from '@groundswell/connectors/tracker.ts'
import type { PreviewedItem, PreviewedRequest } from '@groundswell/contract/deliveries.ts'
import type { Connection } from '../../connections/index.ts'

const HIDDEN = '•••'
/** Shorter ones are no real secrets, and hiding them would garble the address. */
const MIN_SECRET_LENGTH = 6

/** A request as the screen shows it. An address that is itself a secret, such as a webhook's, is reduced to its host. */
export function viewRequest(
  { method, url, headers, body }: DraftRequest,
  secrets: readonly string[],
): PreviewedRequest {
  return { method, address: safeAddress(url, secrets), headers: Object.keys(headers).toSorted(), body }
}

function safeAddress(url: string, secrets: readonly string[]): string {
  if (secrets.includes(url)) return `${new URL(url).origin}/${HIDDEN}`
  return secrets
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .reduce((text, secret) => text.replaceAll(secret, HIDDEN).replaceAll(encodeURIComponent(secret), HIDDEN), url)
}

/** An item as the screen shows it: what was chosen by its name, and not by its id. */
export function viewItem(
  { title, text, labels, assignee, fields }: ShownItem,
  chosen: Connection['chosen'],
): PreviewedItem {
  const names = new Map(chosen.flatMap(({ values }) => values.map(({ value, label }) => [value, label] as const)))
  const nameOf = (value: string) => names.get(value) ?? value
  return {
    title,
    text,
    labels: labels.map(nameOf),
    assignee: assignee === null ? null : nameOf(assignee),
    fields: fields.map(({ name, value }) => ({ name, value: nameOf(value) })),
  }
}
