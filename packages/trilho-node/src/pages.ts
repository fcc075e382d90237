/** One page of a list. */
export type Page<Item, Answer> = {
  items: readonly Item[];
  /** Where the next page begins; null for the last one. */
  nextCursor: string | null;
  /** The whole answer, with its fields beside the items. */
  answer: Answer;
};

/**
 * A list that is read as it is needed: `for await` gives its items over all pages, `pages()` its
 * pages, `first()` the first page alone. Nothing is requested before.
 */
export class Pages<Item, Answer> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item, Answer>>;
  readonly #from: string | undefined;

  /** `read` requests the page at a cursor; the list begins at `from`. */
  constructor(read: (cursor: string | undefined) => Promise<Page<Item, Answer>>, from?: string) {
    this.#read = read;
    this.#from = from;
  }

  /** Requests the first page alone. */
  first(): Promise<Page<Item, Answer>> {
    return this.#read(this.#from);
  }

  /** The pages, one after the other. */
  async *pages(): AsyncGenerator<Page<Item, Answer>, void, undefined> {
    for (let cursor = this.#from; ; ) {
      const page = await this.#read(cursor);
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** The items of all pages. A `break` ends the list without another request. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
