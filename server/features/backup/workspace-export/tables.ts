import { type BackedUpTable, backedUpTables } from '../store.ts'

/** Tables with rows of a workspace that its export leaves out, each with the reason. Any other one that a backup has is exported. */
export const withheldTables: Readonly<Record<string, string>> = {
  api_key: 'keys of programs: Settings lists them',
  invitation: 'open invitations: Settings lists them',
  shared_link: 'read-only links: they are listed where they were made',
  sso_provider: 'the identity provider of single sign-on: Settings shows it to owners',
  provider_app: 'credentials of the workspace’s own apps at providers',
  event_subscription: 'keys of the addresses to which providers send events',
  oauth_state: 'sign-ins at providers that were started and not finished',
  alert_item: 'what members were alerted to by mail',
  notice_item: 'mails to members about assignments and mentions',
  digest_mail: 'mails that were sent to members: Settings lists a person’s latest',
  post: 'messages to channels: Settings and the panel list what became of them',
  post_alert: 'what channels were alerted to',
  receiver: 'receivers of events: Settings lists them, and their addresses are secrets',
  outgoing_event: 'events for receivers, kept for 30 days',
  receiver_delivery: 'what became of them: Settings lists the latest',
  session: 'sign-ins belong to accounts: “Export my data” has them',
  audit_event: 'admins export the audit log under Audit log',
  provider_event: 'events on their way: what they bring is exported as messages',
  item_version: 'marks by which a source tells what has changed',
  import_chunk: 'files that are still being read: their rows are exported as messages',
  erased_message: 'digests of what was erased, so that it is not read again',
  feedback_search: 'words of the messages, to search them',
  search_fill: 'how far these were prepared',
  engine_state: 'the group index, which the engine makes of the messages and corrections',
  forgotten_item: 'deleted messages that the group index has still to forget',
  statement_vector: 'vectors, which their model computes of the messages',
  late_vector: 'messages whose vectors the next grouping reads',
  encoder_reading: 'how far the encoder is',
  embedding_switch: 'a switch of the embedding model that is under way',
  counted_author: 'counts, made of the mentions',
  insight_person: 'counts, made of the mentions',
  insight_customer: 'counts, made of the mentions',
  customer_change: 'counts, made of the mentions',
  customer_due: 'messages whose customer is to be looked up again',
  customer_fill: 'how far that is',
  insight_source: 'counts, made of the mentions',
  insight_source_day: 'counts, made of the mentions',
  insight_day: 'counts, made of the mentions',
  insight_total: 'counts, made of the mentions',
  kind_count: 'counts, made of the mentions',
  kind_change: 'counts, made of the mentions',
  mention_change: 'counts, made of the mentions',
  tag_check: 'which insights were looked at for tags',
  model_look: 'how far the language model has looked',
  sweep_mark: 'when periodic work last found nothing to do',
  request_pause: 'how long a provider wants no requests',
  comparison_selection: 'what is selected on the Comparisons screen',
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
