-- How often a model answered controls of its reviews wrong (docs/decisions/0130-error-rate-of-reviews.md): of the replies about this insight by `model` to
-- `prompt_version`, how many there were since reviews were switched on, and how many of them were wrong.
alter table model_review
  add column asked integer not null default 0,
  add column wrong integer not null default 0;
