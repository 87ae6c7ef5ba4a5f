-- Names could be stored with control characters and with those that reverse the text after them. New ones are refused, or come without them
-- (contract/name.ts). These lose them too: a blank stands for what ends a line. The owner of the tables is subject to row-level security, so it
-- goes from workspace to workspace.
create function name_without_controls(name text) returns text language sql immutable as $$
  select btrim(
    regexp_replace(
      regexp_replace(name, '[\t\n\v\f\r\u0085\u2028\u2029]+', ' ', 'g'),
      '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]', '', 'g'),
    E' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff')
$$;

-- Texts of an object, under all of its keys.
create function texts_without_controls(object jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key,
    case jsonb_typeof(value) when 'string' then to_jsonb(name_without_controls(value #>> '{}')) else value end), '{}')
  from jsonb_each(object)
$$;

do $$
declare
  controls constant text := '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]';
  unnamed constant text := 'Unnamed';
  one uuid;
  found record;
  wanted text;
  free_name text;
  tries integer;
begin
  for one in select workspace_id from workspace loop
    perform set_config('groundswell.workspace', one::text, true);
    update workspace set name = coalesce(nullif(name_without_controls(name), ''), unnamed)
      where workspace_id = one and name ~ controls;
    update feedback_item set author = nullif(name_without_controls(author), '') where workspace_id = one and author ~ controls;
    update feedback_item set place = nullif(name_without_controls(place), '') where workspace_id = one and place ~ controls;
    update context_message set author = nullif(name_without_controls(author), '') where workspace_id = one and author ~ controls;
    update replaced_text set author = nullif(name_without_controls(author), '') where workspace_id = one and author ~ controls;
    update replaced_text set place = nullif(name_without_controls(place), '') where workspace_id = one and place ~ controls;
    update customer set name = coalesce(nullif(name_without_controls(name), ''), unnamed)
      where workspace_id = one and name ~ controls;
    update insight set name = coalesce(nullif(name_without_controls(name), ''), unnamed)
      where workspace_id = one and name ~ controls;
    update theme set person_name = nullif(name_without_controls(person_name), '')
      where workspace_id = one and person_name ~ controls;
    update import set name = coalesce(nullif(name_without_controls(name), ''), unnamed)
      where workspace_id = one and name ~ controls;
    update api_key set name = coalesce(nullif(name_without_controls(name), ''), unnamed)
      where workspace_id = one and name ~ controls;
    update receiver set description = name_without_controls(description) where workspace_id = one and description ~ controls;
    update connection set account = nullif(name_without_controls(account), '') where workspace_id = one and account ~ controls;

    -- Two names may become one.
    for found in select id, connector, name from connection where workspace_id = one and name ~ controls order by id loop
      wanted := name_without_controls(found.name);
      free_name := wanted;
      tries := 1;
      while exists (select from connection where workspace_id = one and connector = found.connector and name = free_name) loop
        tries := tries + 1;
        free_name := wanted || ' (' || tries || ')';
      end loop;
      update connection set name = free_name where workspace_id = one and id = found.id;
    end loop;
    for found in select id, account_id, name from saved_view where workspace_id = one and name ~ controls order by id loop
      wanted := coalesce(nullif(name_without_controls(found.name), ''), unnamed);
      free_name := wanted;
      tries := 1;
      while exists (select from saved_view
        where workspace_id = one and account_id = found.account_id and lower(name) = lower(free_name)) loop
        tries := tries + 1;
        free_name := wanted || ' (' || tries || ')';
      end loop;
      update saved_view set name = free_name where workspace_id = one and id = found.id;
    end loop;
  end loop;
  perform set_config('groundswell.workspace', '', true);

  update account set name = coalesce(nullif(name_without_controls(name), ''), split_part(email, '@', 1)) where name ~ controls;
  update account set user_metadata = user_metadata || texts_without_controls(
      (select jsonb_object_agg(key, value) from jsonb_each(user_metadata) where key in ('name', 'full_name', 'display_name')))
    where concat_ws(' ', user_metadata ->> 'name', user_metadata ->> 'full_name', user_metadata ->> 'display_name') ~ controls;
  update identity set data = texts_without_controls(data)
    where exists (select from jsonb_each_text(data) where value ~ controls);
  for found in select id, account_id, friendly_name from factor where friendly_name ~ controls order by id loop
    wanted := name_without_controls(found.friendly_name);
    free_name := wanted;
    tries := 1;
    while free_name <> '' and exists (select from factor where account_id = found.account_id and friendly_name = free_name) loop
      tries := tries + 1;
      free_name := wanted || ' (' || tries || ')';
    end loop;
    update factor set friendly_name = free_name where id = found.id;
  end loop;
end $$;

drop function texts_without_controls(jsonb);
drop function name_without_controls(text);
