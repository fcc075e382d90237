/**
 * The answer to an upload that is rejected: `error` names what is wrong with the file, else with
 * the request.
 */
export type UploadError = { error: string };
