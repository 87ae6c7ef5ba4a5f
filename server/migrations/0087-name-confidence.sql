-- Whether most mentions say what the engine's name says. Null: described before this was stored (docs/decisions/0080-names-that-are-guesses.md).
alter table insight add column name_confident boolean;
