-- Who has proven that an e-mail address is theirs, sign-ups that wait for their own link, and where a sign-in was used.

alter table account
  -- When the owner of the mailbox proved the address (by a link or an identity provider) or the operator vouched for it. Null
  -- also where AUTH_AUTOCONFIRM counts an address as confirmed unseen: whoever typed it may not be its owner.
  add column email_proven_at timestamptz,
  -- True once somebody signed up with this address again before it was proven.
  add column contested boolean not null default false;

-- An admin was made by the operator, who vouches for the address.
update account set email_proven_at = coalesce(email_confirmed_at, case when is_admin then created_at end);

-- Several links of one kind are valid side by side: asking again must not break a link that is on its way.
alter table one_time_token
  drop constraint one_time_token_pkey,
  drop constraint one_time_token_token_hash_key,
  add primary key (token_hash),
  -- A sign-up that takes effect when this link is opened: {"name", "passwordHash", "userMetadata"}. Null: the account's own.
  add column sign_up jsonb;
create index one_time_token_account on one_time_token (account_id, kind);
create index one_time_token_email on one_time_token (email);

-- Where a sign-in was used: the networks (an IPv4 address, a /64 of IPv6) and devices in words. The first one is where it began.
create table session_place (
  session_id uuid not null references session on delete cascade,
  network text not null,
  device text not null,
  new_address boolean not null default false,
  new_device boolean not null default false,
  -- The owner was told of it by mail.
  told boolean not null default false,
  first_used_at timestamptz not null,
  primary key (session_id, network, device)
);

grant select, insert, update, delete on session_place to groundswell_app;
