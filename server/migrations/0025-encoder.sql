-- The built-in sentence encoder computes a vector of every statement, in statement_vector under spaces that begin with "builtin".

-- What is wrong with it, for operators; no row while nothing is. It is not started before `paused_until`.
create table encoder_trouble (
  one boolean primary key default true check (one),
  what text not null,
  since timestamptz not null,
  paused_until timestamptz
);

grant select, insert, update, delete on encoder_trouble to groundswell_app;
