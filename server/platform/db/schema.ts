/** The row types of every table, by table name, for the query builder. */
export interface DB {}
