import classes from './withdraw.module.css';

/** People compare an address by its ends: this many characters are emphasised. */
const END_CHARACTERS = 6;

/** A whole address with emphasised ends; it breaks where it has to. */
export function WalletText({ wallet }: { wallet: string }) {
  if (wallet.length <= 2 * END_CHARACTERS) return <span className={classes.mono}>{wallet}</span>;
  return (
    <span className={classes.mono}>
      <b>{wallet.slice(0, END_CHARACTERS)}</b>
      {wallet.slice(END_CHARACTERS, -END_CHARACTERS)}
      <b>{wallet.slice(-END_CHARACTERS)}</b>
    </span>
  );
}
