/**
 * Any fixed number: it names the lock under which the first admin of an installation is made. A restore holds it too: whoever signs up meanwhile
 * is no first admin beside the one in the backup.
 */
export const FIRST_ADMIN_LOCK = 4_190_772_301
