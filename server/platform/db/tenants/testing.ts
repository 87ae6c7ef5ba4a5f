import type pg from 'pg'

/** Unique over all workspaces. */
const digest = `decode(replace($1, '-', ''), 'hex')`

/** One row of each table that belongs to a tenant, for a workspace that has a member. `$1` is the workspace. */
const everyTable = `
  insert into connection (workspace_id, id, connector) values ($1, '${id(1)}', 'one');
  insert into sync_state (workspace_id, connection_id, status, moved_at) values ($1, '${id(1)}', 'idle', now());
  insert into request_pause (workspace_id, connection_id, scope, until) values ($1, '${id(1)}', '', now());
  insert into event_subscription (workspace_id, connection_id, key_hash, due_at) values ($1, '${id(1)}', ${digest}, now());
  insert into feedback_item (workspace_id, connection_id, external_id, text, said_at) values ($1, '${id(1)}', 'a', 'said', now());
  insert into context_message (workspace_id, connection_id, external_id, thread, text, said_at)
    values ($1, '${id(1)}', 'b', 't', 'answer', now());
  insert into feedback_retention (workspace_id, days) values ($1, 1);
  insert into erased_message (workspace_id, connection_id, id_digest, erased_at) values ($1, '${id(1)}', '', now());
  insert into insight (workspace_id, issue_number, name, summary) values ($1, 1, 'name', 'summary');
  insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
    select workspace_id, id, 0, 0, 4, 'joined', 1, 1, 'test', now() from feedback_item where workspace_id = $1;
  insert into mention_move (workspace_id, issue_number, item_id, at, arrived_at, mentions, cause) values ($1, 1, 0, now(), now(), -1, 'deleted');
  insert into counted_author (workspace_id, item_id, person) values ($1, 0, '');
  insert into insight_person (workspace_id, issue_number, person, mentions) values ($1, 1, '', 1);
  insert into insight_source (workspace_id, issue_number, connection_id, mentions) values ($1, 1, '${id(1)}', 1);
  insert into insight_source_day (workspace_id, issue_number, connection_id, day, mentions) values ($1, 1, '${id(1)}', now(), 1);
  insert into insight_day (workspace_id, issue_number, day, mentions) values ($1, 1, now(), 1);
  insert into insight_total (workspace_id, issue_number, mentions, people) values ($1, 1, 1, 1);
  insert into customer (workspace_id, id, key, name, name_key) values ($1, '${id(5)}', 'acme.com', 'Acme', 'acme');
  insert into feedback_customer (workspace_id, item_id, customer_id) select workspace_id, id, '${id(5)}' from feedback_item where workspace_id = $1;
  insert into customer_due (workspace_id, item_id) values ($1, 0);
  insert into customer_fill (workspace_id) values ($1);
  insert into insight_customer (workspace_id, issue_number, customer_id, mentions) values ($1, 1, '${id(5)}', 1);
  insert into attribute_value (workspace_id, id, name, name_key, value, value_key) values ($1, 1, 'plan', 'plan', 'pro', 'pro');
  insert into feedback_attribute (workspace_id, item_id, value_ids) select workspace_id, id, '{1}' from feedback_item where workspace_id = $1;
  delete from attribute_change where workspace_id = $1 and issue_number is null;
  insert into attribute_total (workspace_id, value_id, messages) values ($1, 1, 1);
  insert into insight_attribute (workspace_id, issue_number, value_id, mentions) values ($1, 1, 1, 1);
  insert into report_day (workspace_id, dimension, day, key, mentions) values ($1, 'kind', now(), 'problem', 1);
  delete from report_day_due where workspace_id = $1;
  insert into report_day_due (workspace_id, day) values ($1, now());
  insert into forgotten_item (workspace_id, item_id, numbers, issue_numbers) values ($1, 0, '{}', '{}');
  insert into engine_state (workspace_id) values ($1);
  insert into delivery (workspace_id, id, connection_id, issue_number, event, window_hour)
    values ($1, '${id(2)}', '${id(1)}', 1, 'insight.created', 0);
  insert into attempt (workspace_id, delivery_id, number, duration_ms) values ($1, '${id(2)}', 1, 1);
  insert into remote_item (workspace_id, connection_id, issue_number, created_at) values ($1, '${id(1)}', 1, now());
  insert into import (workspace_id, id, connection_id, name, options) values ($1, '${id(3)}', '${id(1)}', 'f', '{}');
  insert into import_chunk (workspace_id, import_id, number, bytes) values ($1, '${id(3)}', 0, '');
  insert into import_row (workspace_id, import_id, line, item_id, added)
    select workspace_id, '${id(3)}', 1, id, true from feedback_item where workspace_id = $1;
  insert into replaced_text (workspace_id, import_id, item_id, external_id, text, said_at)
    select workspace_id, '${id(3)}', id, 'a', 'before', now() from feedback_item where workspace_id = $1;
  insert into comparison_selection (workspace_id, account_id, dir_name)
    select workspace_id, account_id, 'runs' from member where workspace_id = $1;
  insert into eval_score (workspace_id, account_id, filename, page, evaluator, score, reason, scored_at)
    select workspace_id, account_id, 'a.json', 0, 0, 1, 'why', now() from member where workspace_id = $1;
  insert into case_consent (workspace_id, given_by, given_at) values ($1, 'Ann', now());
  insert into evaluation_run (workspace_id, id, name, generators, repeats, state, started_by, started_at)
    values ($1, '${id(8)}', 'one', '[]', 0, 'answered', 'Ann', now());
  insert into evaluation_window (workspace_id, run_id, number, source_id, datetime_from, datetime_to)
    values ($1, '${id(8)}', 0, 'one', '2026-01-01', '2026-01-02');
  insert into evaluation_message (workspace_id, run_id, window_number, place, item_id)
    select workspace_id, '${id(8)}', 0, 0, id from feedback_item where workspace_id = $1;
  insert into evaluation_answer (workspace_id, run_id, window_number, generator, key, answer) values ($1, '${id(8)}', 0, 0, 'one', '{}');
  insert into evaluation_grade (workspace_id, run_id, window_number, generator, grade) values ($1, '${id(8)}', 0, 0, '{}');
  insert into insight_event (workspace_id, issue_number, event) values ($1, 1, 'ended');
  insert into insight_tag (workspace_id, issue_number, tag, set_by, kind) values ($1, 1, 'Area', 'person', 'other');
  insert into tag_check (workspace_id, issue_number, revision, tags, counted_at) values ($1, 1, 1, '', now());
  insert into sweep_mark (workspace_id, sweep, revision, group_version, rules, again_at) values ($1, 'tags', 1, 0, '', now());
  insert into model_description (workspace_id, issue_number, described_hash, mention_count, model, prompt_version, made_at)
    values ($1, 1, 'hash', 2, 'model', 'prompt', now());
  insert into model_day (workspace_id, day) values ($1, '2026-01-01');
  insert into model_join (workspace_id, item_id, text_hash, issue_number, prompt_version, score, verdict, model, decided_at)
    select workspace_id, id, 'hash', 1, 'prompt', 1, 'no', 'model', now() from feedback_item where workspace_id = $1;
  insert into model_answer (workspace_id, item_id, text_hash, issue_number, asked_back, score, is_control, model, prompt_version, answered_at)
    select workspace_id, id, 'hash', 1, false, 1, false, 'model', 'prompt', now() from feedback_item where workspace_id = $1;
  insert into model_split (workspace_id, item_id, text_hash, model, prompt_version, decided_at)
    select workspace_id, id, 'hash', 'model', 'prompt', now() from feedback_item where workspace_id = $1;
  insert into model_reading (workspace_id, item_id, points, model, prompt_version, read_at)
    select workspace_id, id, '[]', 'model', 'prompt', now() from feedback_item where workspace_id = $1;
  insert into model_review (workspace_id, issue_number, mention_count, model, prompt_version, reviewed_at)
    values ($1, 1, 2, 'model', 'prompt', now());
  insert into model_move (workspace_id, item_id, number, from_number, to_number, state, later, model, prompt_version, decided_at)
    select workspace_id, id, 0, 1, 0, 'held', false, 'model', 'prompt', now() from feedback_item where workspace_id = $1;
  insert into reading_choice (workspace_id, scope, since_item, before_item, chosen_by, chosen_at) values ($1, 'new', 0, 0, 'Ann', now());
  insert into model_look (workspace_id, task, head, made_with) values ($1, 'joins', 1, 'model');
  insert into correction (workspace_id, id, issue_number, kind, request, person, touched)
    values ($1, '${id(4)}', 1, 'lock', '{}', 'Ann', '{1}');
  insert into statement_rule (workspace_id, item_id, number, pin, correction_id)
    select workspace_id, id, 0, 1, '${id(4)}' from feedback_item where workspace_id = $1;
  insert into correction_statement (workspace_id, correction_id, item_id, number, kind, score, reason, decided_by, decided_at)
    select workspace_id, '${id(4)}', id, 0, 'joined', 1, 'test', 'engine', now() from feedback_item where workspace_id = $1;
  insert into embedding_choice (workspace_id, space, chosen_at) values ($1, 'local/one', now());
  insert into embedding_switch (workspace_id, to_space, began_by, began_at) values ($1, '', 'Ann', now());
  insert into statement_vector (workspace_id, space, item_id, number, text_hash)
    select workspace_id, 'local/one', id, 0, '' from feedback_item where workspace_id = $1;
  insert into kind_correction (workspace_id, item_id, text_hash, number, text, person, corrected_at)
    select workspace_id, id, '', 0, 'said', 'ann', now() from feedback_item where workspace_id = $1;
  insert into kind_count (workspace_id, issue_number, kind, mentions) values ($1, 1, 'problem', 1);
  insert into kind_change (workspace_id, issue_number, kind, mentions) values ($1, 1, 'problem', 1);
  insert into late_vector (workspace_id, item_id) select workspace_id, id from feedback_item where workspace_id = $1;
  insert into emerging_insight (workspace_id, number, name, summary, described_hash) values ($1, 1000000000, 'name', 'summary', '');
  insert into theme (workspace_id, id, name) values ($1, 1, 'name');
  insert into insight_theme (workspace_id, issue_number, engine_theme) values ($1, 1, 1);
  insert into member_suggestion (workspace_id, issue_number, item_id, number, score)
    select workspace_id, 1, id, 0, 1 from feedback_item where workspace_id = $1;
  insert into merge_suggestion (workspace_id, issue_numbers, score) values ($1, '{1,2}', 1);
  insert into declined_merge (workspace_id, issue_numbers, score, person, declined_at) values ($1, '{1,2}', 1, 'Ann', now());
  insert into encoder_reading (workspace_id, done, total, moved_at) values ($1, 0, 1, now());
  insert into provider_app (workspace_id, connector) values ($1, 'one');
  insert into api_key (workspace_id, account_id, name, scopes, token_hash, token_start, created_at)
    select workspace_id, account_id, 'name', '{read}', sha256(account_id::text::bytea), 'gsk_', now() from member where workspace_id = $1;
  insert into invitation (workspace_id, role, invited_by, token_hash, created_at, expires_at)
    select workspace_id, 'member', account_id, sha256(account_id::text::bytea), now(), now() + interval '1 day' from member where workspace_id = $1;
  insert into shared_link (workspace_id, account_id, token_hash, issue_number, hide_names, hide_quotes, created_at, expires_at)
    select workspace_id, account_id, sha256(account_id::text::bytea), 1, true, false, now(), now() from member where workspace_id = $1;
  insert into sso_provider (workspace_id, issuer, client_id, default_role, changed_at) values ($1, 'https://one', 'one', 'viewer', now());
  insert into saved_view (workspace_id, account_id, name, query, shared, updated_at)
    select workspace_id, account_id, 'name', '', false, now() from member where workspace_id = $1;
  insert into search_fill (workspace_id) values ($1);
  insert into search_renewal (workspace_id) values ($1);
  insert into visit (workspace_id, account_id, seen_at, shown_until)
    select workspace_id, account_id, now(), now() from member where workspace_id = $1;
  insert into told_person (workspace_id, issue_number, person, told_by, told_at) values ($1, 1, '', 'Ann', now());
  insert into digest_choice (workspace_id, account_id, frequency, weekday, hour, time_zone, covered_until)
    select workspace_id, account_id, 'off', 1, 9, 'UTC', now() from member where workspace_id = $1;
  insert into alert_item (workspace_id, account_id, kind, issue_number, note, found_at)
    select workspace_id, account_id, 'spike', 1, '', now() from member where workspace_id = $1;
  insert into notice_item (workspace_id, account_id, kind, issue_number, made_by, found_at)
    select workspace_id, account_id, 'assigned', 1, account_id, now() from member where workspace_id = $1;
  insert into insight_comment (workspace_id, issue_number, account_id, text, written_at)
    select workspace_id, 1, account_id, 'said', now() from member where workspace_id = $1;
  insert into digest_mail (workspace_id, account_id, kind, since, state, created_at)
    select workspace_id, account_id, 'digest', now(), 'sent', now() from member where workspace_id = $1;
  insert into post_channel (workspace_id, id, connection_id, channel, label, frequency, weekday, hour, time_zone, covered_until, set_by)
    values ($1, '${id(1)}', '${id(1)}', 'C1', '#c', 'off', 1, 9, 'UTC', now(), 'Ann');
  insert into post (workspace_id, connection_id, kind, channel_id, since, state, created_at)
    values ($1, '${id(1)}', 'digest', '${id(1)}', now(), 'sent', now());
  insert into post_alert (workspace_id, channel_id, kind, issue_number, note, found_at)
    values ($1, '${id(1)}', 'spike', 1, '', now());
  insert into receiver (workspace_id, id, description, created_at) values ($1, '${id(6)}', '', now());
  insert into outgoing_event (workspace_id, id, type, happened_at) values ($1, '${id(7)}', 'receiver.test', now());
  insert into receiver_delivery (workspace_id, receiver_id, event_id) values ($1, '${id(6)}', '${id(7)}');
  insert into oauth_state (workspace_id, state_hash, account_id, connector, expires_at)
    select workspace_id, ${digest}, account_id, 'one', now() from member where workspace_id = $1;
  insert into provider_event (workspace_id, connection_id, event_id) values ($1, '${id(1)}', 'a');
  insert into item_version (workspace_id, connection_id, external_id) values ($1, '${id(1)}', 'a');`

function id(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`
}

/** Stores one row of each table that belongs to a tenant, in a workspace that has a member. Needs the owner of the tables. */
export async function fillWorkspace(owner: pg.Client, workspaceId: string): Promise<void> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
  await owner.query(everyTable.replaceAll('$1', `'${workspaceId}'`))
}

/** The tables that belong to a tenant, by the catalogue: also those that the role of the connection may not use. */
export async function tablesOfWorkspaces(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'session' order by 1`)
  return rows.map((row) => row.name)
}
