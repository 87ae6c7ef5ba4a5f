-- The newest mention of an insight, by the order in which messages arrived.
create index statement_arrived on statement (workspace_id, issue_number, item_id) where issue_number is not null;
