/**
 * Names the build of the pages: a page sends its own in its requests, and responses to the panel's
 * calls carry the current one, so that an open page notices a deploy.
 */
export const BUILD_HEADER = 'x-trilho-build';
