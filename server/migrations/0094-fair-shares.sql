-- What people and workspaces use and wait for, of what one of them could use up for all: docs/decisions/0087-fair-shares.md. Over all
-- processes. Not logged: after a crash the shares begin again, which is worth less than a write to disk for each call.

-- What was taken of a day's budget. `person` is empty for background work of the workspace.
create unlogged table budget_share (
  budget text not null,
  day date not null,
  -- Digests, as in attempt_count.
  workspace text not null,
  person text not null,
  tokens bigint not null,
  -- What of it was taken in the quarter of an hour with this number.
  quarter bigint not null,
  quarter_tokens bigint not null,
  asked_at timestamptz not null,
  primary key (budget, day, workspace, person)
);

-- Calls that run, and those that are the next of a person to run. Each is renewed until it ends, so that one whose process died is forgotten.
create unlogged table call_turn (
  kind text not null,
  id uuid not null,
  workspace text not null,
  person text not null,
  runs boolean not null,
  expires_at timestamptz not null,
  primary key (kind, id)
);

grant select, insert, update, delete on budget_share, call_turn to groundswell_app;
