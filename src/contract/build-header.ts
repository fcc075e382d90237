/**
 * The build of the pages that the service has: in requests as a page is told its own, and in
 * answers to the panel's calls, so that an open page notices a deploy.
 */
export const BUILD_HEADER = 'x-trilho-build';
