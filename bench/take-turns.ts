/**
 * Runs each of the sides once a round, one at a time, in an order that alternates from round to
 * round, so that the rest of the machine's work affects all of them alike, and a drift favours
 * none. Returns the results of each round by side. Rejects with the first error of a side, after
 * which no other runs.
 */
export async function takeTurns<Side extends string, Result>(
  sides: readonly Side[],
  rounds: number,
  run: (side: Side, round: number) => Promise<Result>,
): Promise<Record<Side, Result>[]> {
  const results: Record<Side, Result>[] = [];
  for (let round = 0; round < rounds; round++) {
    const ofRound: Partial<Record<Side, Result>> = {};
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) ofRound[side] = await run(side, round);
    results.push(ofRound as Record<Side, Result>);
  }
  return results;
}
