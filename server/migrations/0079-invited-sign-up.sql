-- The account that signed up with an invitation where sign-up is closed: only that one can accept it then. Null: none.
alter table invitation add column signed_up_by uuid;
