import { sql } from 'kysely'

/**
 * Insights for queries of other features: `join ${insightsView} insight on …`, with `described` for the shown name. PostgreSQL plans
 * it as it would the table. `is_chatter`: more than half of its mentions
 * are praise or small talk. `independent_count`: its different texts or its known authors, whichever are more; null: not counted yet. `shown`: not deleted, not ended, and mentioned in at least two messages.
 */
export const insightsView = sql`(
  select workspace_id, issue_number, name, name_by_person, summary, described_hash, status, mention_count, people_count, customer_count, heard,
    lost, hidden, deleted_at, ended_at, merged_into,
    deleted_at is null and ended_at is null and not hidden as shown, chatter_count * 2 > mention_count as is_chatter,
    greatest(text_count, author_count) as independent_count
  from insight)`

/**
 * The groups of each workspace, once there are any. `version` grows with every step of grouping; `advised`: a model's verdicts wait
 * for the next step.
 */
export const groupsView = sql`(
  select workspace_id, head as version,
    exists (select from model_join where model_join.workspace_id = engine_state.workspace_id and state = 'waiting')
      or exists (select from model_move where model_move.workspace_id = engine_state.workspace_id and state = 'waiting')
      or exists (select from model_review where model_review.workspace_id = engine_state.workspace_id and merge_into is not null) as advised
  from engine_state)`

/** The statements of the messages: which part of its item each is, and the insight that it is in, if any. */
export const statementsView = sql`(
  select workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, said_at, point from statement)`

/**
 * For a query of `insightsView` as `insight`: how many of its mentions a language model's review brought from another insight, without those that
 * a person confirmed. They do not cause a push: nobody has said so but the model.
 */
export const broughtByReview = sql`(
  select count(*) from model_move brought
  where brought.workspace_id = insight.workspace_id and brought.to_number = insight.issue_number and brought.state = 'held'
    and not exists (select from statement_rule rule where rule.workspace_id = brought.workspace_id
      and rule.item_id = brought.item_id and rule.number = brought.number and rule.pin = brought.to_number))`
