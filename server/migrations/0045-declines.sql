-- A decline is kept even when a revision has withdrawn the suggestion that it answers: it then has no score.
alter table declined_merge alter column score drop not null;
