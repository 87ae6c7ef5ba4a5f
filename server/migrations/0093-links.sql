-- Links that may not be opened, such as javascript:, data: and //host, were stored; screens and webhooks passed them on. New ones are refused or
-- dropped (contract/web-address.ts). Only the link is cleared, never what has it. The owner of the tables is subject to row-level security, so it
-- goes from workspace to workspace.
do $$
declare
  address constant text := '^https?://[^\s/?#\\@]+([/?#].*)?$';
  unseen constant text :=
    '[\u0001-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]';
  one uuid;
begin
  for one in select workspace_id from workspace loop
    perform set_config('groundswell.workspace', one::text, true);
    update feedback_item set link = null
      where workspace_id = one and (link !~* address or link ~ unseen or length(link) > 2048);
    update context_message set link = null
      where workspace_id = one and (link !~* address or link ~ unseen or length(link) > 2048);
    update replaced_text set link = null
      where workspace_id = one and (link !~* address or link ~ unseen or length(link) > 2048);
    update remote_item set url = null
      where workspace_id = one and (url !~* address or url ~ unseen or length(url) > 2048);
    update delivery set remote_url = null
      where workspace_id = one and (remote_url !~* address or remote_url ~ unseen or length(remote_url) > 2048);
  end loop;
  perform set_config('groundswell.workspace', '', true);
end $$;
