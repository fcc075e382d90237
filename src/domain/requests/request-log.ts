/** The values by which the log of requests can be filtered. */
export const REQUEST_METHODS = ['GET', 'POST'] as const;
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
