import { type BackedUpTable, backedUpTables } from '../store.ts'

/** Tables with rows of a workspace that its export leaves out, each with the reason. Any other one that a backup has is exported. */
export const withheldTables: Readonly<Record<string, string>> = {
  api_key: 'API keys: Settings lists them',
  invitation: 'open invitations: Settings lists them',
  shared_link: 'read-only links: the dialogs that created them list them',
  sso_provider: 'the identity provider for single sign-on: Settings shows it to owners',
  provider_app: 'credentials of the workspace’s own apps at providers',
  event_subscription: 'keys in the addresses to which providers send events',
  oauth_state: 'sign-ins at providers that were started but not finished',
  alert_item: 'alerts to members by mail',
  notice_item: 'mails to members about assignments and mentions',
  digest_mail: 'mails sent to members: Settings lists each person’s latest',
  post: 'messages to channels: Settings and the panel list their outcome',
  post_alert: 'alerts to channels',
  receiver: 'webhook receivers: Settings lists them, and their addresses are secrets',
  outgoing_event: 'events for webhook receivers, kept for 30 days',
  receiver_delivery: 'deliveries of these events: Settings lists the latest',
  session: 'sign-ins, which belong to accounts: “Export my data” includes them',
  audit_event: 'the audit log: admins export it under Audit log',
  provider_event: 'events being processed: their content is exported as messages',
  item_version: 'versions by which a source detects changes',
  import_chunk: 'files that are still being read: their rows are exported as messages',
  erased_message: 'digests of erased messages, so that they are not read again',
  feedback_search: 'the search index of messages',
  search_fill: 'progress of building the search index',
  search_renewal: 'progress of renewing the search index',
  engine_state: 'the group index, which the engine derives from messages and corrections',
  forgotten_item: 'deleted messages that the group index has yet to forget',
  statement_vector: 'vectors, which a model computes from the messages',
  late_vector: 'messages whose vectors the next grouping run reads',
  encoder_reading: 'progress of the encoder',
  embedding_switch: 'a switch of the embedding model in progress',
  counted_author: 'counts, derived from the mentions',
  insight_person: 'counts, derived from the mentions',
  insight_customer: 'counts, derived from the mentions',
  customer_change: 'counts, derived from the mentions',
  attribute_change: 'counts, derived from the mentions',
  attribute_total: 'counts, derived from the messages',
  attribute_value: 'the filter by attributes, which the messages have',
  feedback_attribute: 'the filter by attributes, which the messages have',
  insight_attribute: 'counts, derived from the mentions',
  customer_due: 'messages whose customer must be looked up again',
  customer_fill: 'progress of that',
  insight_source: 'counts, derived from the mentions',
  insight_source_day: 'counts, derived from the mentions',
  insight_day: 'counts, derived from the mentions',
  insight_total: 'counts, derived from the mentions',
  kind_count: 'counts, derived from the mentions',
  kind_change: 'counts, derived from the mentions',
  mention_change: 'counts, derived from the mentions',
  report_day: 'counts, derived from the mentions',
  report_day_due: 'counts, derived from the mentions',
  tag_check: 'which insights were checked for tags',
  model_look: 'progress of the language model',
  sweep_mark: 'when periodic work last found nothing to do',
  request_pause: 'how long a provider asked to pause requests',
  comparison_selection: 'the selection on the Comparisons screen',
  eval_score: 'scores by admins: in files of the installation, and in runs, whose answers and grades are exported',
}

/** Columns that are left out besides the secrets that a backup may leave out. */
const withheldColumns: Readonly<Record<string, readonly string[]>> = {
  connection: ['refresh_lease', 'refresh_lease_until'],
  // A provider may accept its own cursor without a sign-in.
  sync_state: ['cursor'],
}

/** The tables of an export, in the order of the file: a row comes after those that it refers to. */
export const exportedTables: readonly BackedUpTable[] = backedUpTables
  .filter(({ table, tenant }) => tenant && !Object.hasOwn(withheldTables, table))
  .map((entry) => ({ ...entry, withheld: [...entry.withheld, ...(withheldColumns[entry.table] ?? [])] }))
