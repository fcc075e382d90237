import type { Topic } from '#domain/webhooks/events.ts';

/** The element that gets the focus back when a topic's form is closed. */
export const editButtonId = (topic: Topic): string => `edit-endpoint-${topic}`;
