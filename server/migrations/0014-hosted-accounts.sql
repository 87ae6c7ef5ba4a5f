-- Accounts of a hosted sign-in service. Such an account is known by (issuer, subject), which is its row in `identity` with the
-- issuer as the provider. Its e-mail address is what the service says of it today, so it identifies nobody here: only the
-- addresses of our own accounts stay unique.

-- Null: an account of our own server.
alter table account add column issuer text;

alter table account drop constraint account_email_key;
create unique index account_email on account (email) where issuer is null;
create index account_issuer_email on account (issuer, email) where issuer is not null;
