-- A closed item that was not done ships nothing. What is stored is corrected when the states of items are next read.
alter table remote_item add column declined boolean not null default false;
