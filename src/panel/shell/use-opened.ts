import { useSearchParams } from 'next/navigation';
import { createSerializer, parseAsString, useQueryState } from 'nuqs';

/** Marks an entry of the browser's history that opening something here made: closing goes back. */
const OPENED_HERE = 'openedHere';

/** What is open beside a list, by its id, which the address has under `name`. */
export function useOpened(name: string) {
  const [id, setId] = useQueryState(name, parseAsString);
  const search = useSearchParams();
  const serialize = createSerializer({ [name]: parseAsString });
  const addressOf = (other: string) => serialize(search, { [name]: other });
  return {
    id,
    addressOf,
    show: (other: string) => window.history.pushState({ [OPENED_HERE]: true }, '', addressOf(other)),
    close() {
      if (window.history.state?.[OPENED_HERE]) window.history.back();
      else void setId(null);
    },
  };
}
