/**
 * Any fixed number: it names the lock under which the first admin of an installation is made. A restore holds it too, so that nobody who
 * signs up meanwhile becomes a second first admin beside the one in the backup.
 */
export const FIRST_ADMIN_LOCK = 4_190_772_301
