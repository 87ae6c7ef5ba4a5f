/**
 * The folder that owns each table. Only store files of the owner write to a table or name it in a query; other features call
 * what the owner exports (docs/decisions/0026-tables-have-owners.md). `scripts/lint/tables.ts` enforces it.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  account: 'server/auth',
  attempt_count: 'server/auth',
  challenge: 'server/auth',
  factor: 'server/auth',
  first_admin: 'server/auth',
  flow_state: 'server/auth',
  identity: 'server/auth',
  one_time_token: 'server/auth',
  recovery_code: 'server/auth',
  refresh_token: 'server/auth',
  session: 'server/auth',
  session_place: 'server/auth',
  signing_key: 'server/auth',
  token_notice: 'server/auth',

  member: 'server/features/workspaces',
  workspace: 'server/features/workspaces',

  audit_event: 'server/features/audit',
  audit_retention: 'server/features/audit',

  connection: 'server/features/connections',
  event_subscription: 'server/features/connections',
  oauth_state: 'server/features/connections',
  provider_app: 'server/features/connections',

  context_message: 'server/features/feedback',
  feedback_item: 'server/features/feedback',
  import: 'server/features/feedback',
  import_chunk: 'server/features/feedback',
  import_row: 'server/features/feedback',
  replaced_text: 'server/features/feedback',

  item_version: 'server/features/syncs',
  provider_event: 'server/features/syncs',
  sync_state: 'server/features/syncs',

  correction: 'server/features/insights',
  correction_statement: 'server/features/insights',
  emerging_insight: 'server/features/insights',
  engine_state: 'server/features/insights',
  forgotten_item: 'server/features/insights',
  declined_merge: 'server/features/insights',
  insight: 'server/features/insights',
  insight_event: 'server/features/insights',
  insight_tag: 'server/features/insights',
  kind_change: 'server/features/insights',
  kind_correction: 'server/features/insights',
  kind_count: 'server/features/insights',
  late_vector: 'server/features/insights',
  member_suggestion: 'server/features/insights',
  merge_suggestion: 'server/features/insights',
  model_description: 'server/features/insights',
  model_join: 'server/features/insights',
  model_split: 'server/features/insights',
  statement: 'server/features/insights',
  statement_rule: 'server/features/insights',
  tag_check: 'server/features/insights',

  attempt: 'server/features/deliveries',
  delivery: 'server/features/deliveries',
  request_pause: 'server/features/connections',
  remote_item: 'server/features/deliveries',

  embedding_budget: 'server/features/embeddings',
  embedding_choice: 'server/features/embeddings',
  embedding_model: 'server/features/embeddings',
  embedding_switch: 'server/features/embeddings',
  embedding_trouble: 'server/features/embeddings',
  encoder_reading: 'server/features/embeddings',
  encoder_trouble: 'server/features/embeddings',
  statement_vector: 'server/features/embeddings',

  model_budget: 'server/features/models',
  model_day: 'server/features/models',
  model_look: 'server/features/models',
  model_trouble: 'server/features/models',

  comparison_selection: 'server/features/comparisons',

  migration: 'server/platform/db',
  sweep_mark: 'server/platform/sweep',
}
