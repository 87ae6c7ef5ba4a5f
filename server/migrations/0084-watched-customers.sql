-- A new insight from one of these customers is an alert (docs/decisions/0077-posts.md).
alter table digest_choice add column watched_customers uuid[] not null default '{}';
alter table post_channel add column watched_customers uuid[] not null default '{}';

alter table alert_item drop constraint alert_item_kind_check;
alter table alert_item add constraint alert_item_kind_check
  check (kind in ('spike', 'regression', 'theme', 'customer')) not valid;
alter table alert_item validate constraint alert_item_kind_check;
