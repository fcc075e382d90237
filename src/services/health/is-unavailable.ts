/** Whether a use case failed because the database is away or overloaded, not by a fault of ours. */
export { isUnavailable } from '#db/connection/database.ts';
