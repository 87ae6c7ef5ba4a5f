-- Owner: server/features/customers. Test: server/features/customers/identify.test.ts.

-- A grouped message whose author or attributes changed waits for its customer.
create or replace function note_customer_due() returns trigger language plpgsql as $$
begin
  insert into customer_due (workspace_id, item_id) values (new.workspace_id, new.id) on conflict do nothing;
  return null;
end $$;
create or replace trigger changed_customer_of_message after update of author, attributes on feedback_item for each row
  when (new.grouped_seq is not null and (old.author, old.attributes) is distinct from (new.author, new.attributes))
  execute function note_customer_due();

-- As the owner, so that the customer of a deleted message goes in every case. Planned for each statement, by its number of messages.
create or replace function forget_customers() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    execute 'delete from feedback_customer using removed
      where feedback_customer.workspace_id = removed.workspace_id and feedback_customer.item_id = removed.id';
    return null;
  end $$;
create or replace trigger deleted_message_of_customer after delete on feedback_item referencing old table as removed
  for each statement execute function forget_customers();

-- Workspaces in which messages wait for their customer, or counts of customers for a change.
create or replace function workspaces_to_find_customers() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from customer_fill
    union select workspace_id from customer_due
    union select workspace_id from customer_change
    union select workspace_id from attribute_change
  $$;
revoke all on function workspaces_to_find_customers() from public;
grant execute on function workspaces_to_find_customers() to groundswell_app;
