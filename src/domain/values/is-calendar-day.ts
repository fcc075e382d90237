const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether a text is a day that the calendar has, as `2026-11-21`. */
export function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00.000Z`);
  // Some engines read the 31st of a short month as the first days of the next one.
  return DAY.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}
