-- What a person chose for a connection, and whether it may be used before that (docs/decisions/0034-choices.md).

alter table connection
  -- False until the required choices are made. It never becomes false again while the connection is live.
  add column ready boolean not null default true,
  -- The chosen values with their labels, in the order of the choices: [{field, label, values: [{value, label}]}].
  add column chosen jsonb not null default '[]';
